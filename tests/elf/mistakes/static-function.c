// The function is there, but static.
//# peers: none
//# compile: -g
//# error-text: ld: error: undefined symbol: area
//# error-text: >>> referenced by main.c:2 ($WORK/main.c:2)
//# error-text: >>>               main.o:(main)
//# error-text: >>> area is defined in area.o, but local to that file (static)
//# file: main.c
int area(int);
int main(void) { return area(2); }
//# file: area.c
static int area(int side) { return side * side; }
int twice(int side) { return 2 * area(side); }
