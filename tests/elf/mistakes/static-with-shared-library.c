// A shared library in a static program.
//# peers: none
//# shared: libshape.so shape.o
//# link: -static main.o -L. -lshape
//# error-text: ld: error: unable to find library -lshape
//# error-text: >>> ./libshape.so is there, but a static link takes archives only: libshape.a
int area(int);
int main(void) { return area(2); }
//# file: shape.c -fPIC
int area(int side) { return side * side; }
