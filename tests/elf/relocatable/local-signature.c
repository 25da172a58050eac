// A group whose signature is a local symbol (macros of -g3) survives, compressed or not.
//# compile: -g3 -gz
//# relocatable: both.o main.o b.o
//# link: both.o
//# run: exit=5
//# look-at: both.o
//# section: .debug_macro type=PROGBITS
//# section: .group type=GROUP
#define VALUE f()
int f(void);
int main(void) { return VALUE; }
//# file: b.c
#define VALUE 5
int f(void) { return VALUE; }
