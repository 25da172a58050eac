// A function of a library that stands in a searched directory, and no -l.
//# peers: none
//# compile: -g
//# archive: libshape.a shape.o
//# link: main.o -L.
//# error-text: ld: error: undefined symbol: area
//# error-text: >>> referenced by main.c:2 ($WORK/main.c:2)
//# error-text: >>>               main.o:(main)
//# error-text: >>> defined in ./libshape.a, which is not linked; add -lshape
//# file: main.c
double area(double);
int main(int count, char **names) { return area(count); }
//# file: shape.c
double area(double side) { return side * side; }
