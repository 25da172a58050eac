// -u takes the member that defines the name.
//# driver: gcc
//# archive: libx.a x.o
//# link: main.o -u wanted libx.a
//# run
//# symbol: wanted section=.text
int main(void) { return 0; }
//# file: x.c
int wanted(void) { return 1; }
