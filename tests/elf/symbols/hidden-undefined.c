// A hidden reference is not satisfied by a shared library.
//# driver: gcc
//# shared: liba.so a.o
//# link: main.o liba.so
//# expect-error: f
__attribute__((visibility("hidden"))) int f(void);
int main(void) { return f(); }
//# file: a.c -fPIC
int f(void) { return 1; }
