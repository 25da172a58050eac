// --defsym with a name that nothing defines.
//# peers: none
//# link: -Wl,--defsym=surface=aera
//# error-text: ld: error: --defsym:1: undefined symbol: aera, referenced in an expression
//# error-text: >>> did you mean: area
//# error-text: >>> defined in: main.o
int area(int side) { return side * side; }
int surface(int);
int main(void) { return surface(2); }
