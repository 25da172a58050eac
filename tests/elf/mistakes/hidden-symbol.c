// A function that a shared library has and does not export.
//# peers: none
//# compile: -g
//# shared: libshape.so shape.o
//# link: main.o libshape.so
//# error-text: ld: error: undefined symbol: area
//# error-text: >>> referenced by main.c:2 ($WORK/main.c:2)
//# error-text: >>>               main.o:(main)
//# error-text: >>> area is defined in libshape.so, but not exported (hidden, or local by a version script)
//# file: main.c
int area(int);
int main(void) { return area(2); }
//# file: shape.c -fPIC -fvisibility=hidden
int area(int side) { return side * side; }
