// A library was linked with a newer library than the one that is here.
//# peers: none
//# shared: libbase.so new.o -Wl,--version-script=new.map,-soname,libbase.so
//# shared: libshape.so shape.o libbase.so
//# shared: libbase.so old.o -Wl,--version-script=old.map,-soname,libbase.so
//# link: main.o libshape.so libbase.so
//# error-text: ld: error: libshape.so: --no-allow-shlib-undefined: undefined symbol: square@BASE_2.0
//# error-text: >>> libshape.so was linked with a libbase.so that has version BASE_2.0, probably a newer one
int area(int);
int main(void) { return area(2); }
//# file: shape.c -fPIC
int square(int);
int area(int side) { return square(side); }
//# file: new.c -fPIC
int twice(int side) { return 2 * side; }
int square(int side) { return side * side; }
//# file: old.c -fPIC
int twice(int side) { return 2 * side; }
//# file: new.map
BASE_1.0 { twice; };
BASE_2.0 { square; };
//# file: old.map
BASE_1.0 { twice; };
