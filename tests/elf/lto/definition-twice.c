// A name that two files of intermediate code define is reported, as is one that a file of code
// defines, too.
//# compile: -O2 -flto -fno-fat-lto-objects
//# variant: both: main.o other.o
//# variant: code: main.o plain.o
//# sh: gcc -c other.c -o plain.o
//# link: -flto
//# expect-error: duplicate symbol: f
int f(void) { return 1; }
int main(void) { return f(); }
//# file: other.c
int f(void) { return 2; }
