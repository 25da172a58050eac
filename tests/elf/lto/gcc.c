// Objects with GCC's intermediate code alone are compiled by GCC's plugin; what nothing outside
// refers to is not there any more.
//# compile: -O2 -flto -fno-fat-lto-objects
//# link: main.o part.o -flto -O2
//# run: exit=42
//# symbol: main
//# no-symbol: twice
//# no-symbol: unused
//# peers: ld
int twice(int);
extern int counter;
int main(void) { return counter + twice(20); }
//# file: part.c
int counter = 2;
int twice(int x) { return x * 2; }
int unused(void) { return 7; }
