// --wrap replaces a function, and nobody wrote the replacement.
//# peers: none
//# compile: -g
//# link: -Wl,--wrap=area
//# error-text: ld: error: undefined symbol: __wrap_area
//# error-text: >>> referenced by main.c:2 ($WORK/main.c:2)
//# error-text: >>>               main.o:(main)
//# file: main.c
int area(int);
int main(void) { return area(2); }
//# file: area.c
int area(int side) { return side * side; }
