// A library that is installed only for running: libshape.so.2 and no libshape.so.
//# peers: none
//# shared: libshape.so.2 shape.o -Wl,-soname,libshape.so.2
//# link: main.o -L. -lshape
//# error-text: ld: error: unable to find library -lshape
//# error-text: >>> ./libshape.so.2 is there, but not libshape.so: install the library's package for development
int area(void);
int main(void) { return area(); }
//# file: shape.c
int area(void) { return 1; }
