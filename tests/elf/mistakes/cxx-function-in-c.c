// C code calls a C++ function that was defined without extern "C".
//# peers: none
//# compile: -g
//# driver: g++
//# error-text: ld: error: undefined symbol: area
//# error-text: >>> referenced by main.c:2 ($WORK/main.c:2)
//# error-text: >>>               main.o:(main)
//# error-text: >>> did you mean to declare area(int) as extern "C"?
//# error-text: >>> defined in: area.o
//# file: main.c
int area(int);
int main(void) { return area(2); }
//# file: area.cc
int area(int side) { return side * side; }
