// An object whose end is missing.
//# machines: x86-64 offsets in an object file are expected
//# peers: none
//# sh: head -c 500 area.o >short.o
//# link: main.o short.o
//# error-text: ld: error: short.o: section header table lies outside the file
//# error-text: >>> it begins at offset 0x190 and the file ends at 0x1f4: was it cut short?
int main(void) { return 0; }
//# file: area.c
int area(int side) { return side * side; }
