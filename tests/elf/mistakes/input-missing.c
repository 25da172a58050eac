// An input that is not there.
//# peers: none
//# driver: ld
//# link: main.o area.o
//# error-text: ld: error: cannot open area.o: No such file or directory
//# error-text: >>> did you mean: areas.o
int main(void) { return 0; }
//# file: areas.c
int area(int side) { return side * side; }
