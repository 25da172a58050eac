// A library that is nowhere; one with a similar name is.
//# peers: none
//# archive: libshapes.a shapes.o
//# link: main.o -L. -lshape
//# error-text: ld: error: unable to find library -lshape
//# error-text: >>> did you mean: -lshapes
//# error-text: >>> found: ./libshapes.a
int main(void) { return 0; }
//# file: shapes.c
int area(void) { return 1; }
