// --require-defined with a name that nothing defines.
//# peers: none
//# link: -Wl,--require-defined=aera
//# error-text: ld: error: undefined symbol: aera
//# error-text: >>> required by --require-defined
//# error-text: >>> did you mean: area
//# error-text: >>> defined in: main.o
int area(int side) { return side * side; }
int main(void) { return area(0); }
