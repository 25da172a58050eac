// A shared library cannot be part of a relocatable object.
//# driver: ld
//# shared: libb.so b.o
//# link: -r main.o libb.so
//# expect-error: dynamic object
int f(void);
int g(void) { return f(); }
//# file: b.c
int f(void) { return 5; }
