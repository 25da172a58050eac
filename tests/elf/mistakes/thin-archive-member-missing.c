// A thin archive whose object is gone.
//# peers: none
//# archive: thin libshape.a shape.o
//# sh: rm shape.o
//# link: main.o libshape.a
//# error-text: ld: error: libshape.a(shape.o): cannot open shape.o: No such file or directory
//# error-text: >>> libshape.a is a thin archive, which names its members and has no copies
int area(int);
int main(void) { return area(2); }
//# file: shape.c
int area(int side) { return side * side; }
