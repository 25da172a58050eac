// A library that was linked without those it needs.
//# peers: none
//# shared: libshape.so shape.o
//# link: main.o libshape.so
//# error-text: ld: error: libshape.so: --no-allow-shlib-undefined: undefined symbol: square
//# error-text: >>> libshape.so needs a library that it does not name: link libshape.so with that, or add it here
int area(int);
int main(void) { return area(2); }
//# file: shape.c -fPIC
int square(int);
int area(int side) { return square(side); }
