// C++ code calls a C function that was declared without extern "C".
//# peers: none
//# compile: -g
//# error-text: ld: error: undefined symbol: area(int)
//# error-text: >>> referenced by main.cc:2 ($WORK/main.cc:2)
//# error-text: >>>               main.o:(main)
//# error-text: >>> did you mean: extern "C" area
//# error-text: >>> defined in: area.o
//# file: main.cc
int area(int);
int main() { return area(2); }
//# file: area.c
int area(int side) { return side * side; }
