// The program was built with a newer library than the one that is linked.
//# peers: none
//# shared: libshape.so shape.o -Wl,--version-script=old.map
//# link: main.o libshape.so
//# error-text: ld: error: undefined symbol: area@SHAPE_2.0
//# error-text: >>> referenced by main.c
//# error-text: >>>               main.o:(main)
//# error-text: >>> libshape.so has area@SHAPE_1.0: the object was built with another version of the library, usually a newer one
__asm__(".symver area, area@SHAPE_2.0");
int area(int);
int main(void) { return area(2); }
//# file: shape.c -fPIC
int area(int side) { return side * side; }
//# file: old.map
SHAPE_1.0 { area; };
