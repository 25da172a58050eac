// --wrap and --defsym hold for names of intermediate code.
//# compile: -O2 -flto -fno-fat-lto-objects
//# link: main.o other.o plain.o -flto -O2 -Wl,--wrap=f -Wl,--defsym=alias=target
//# run: exit=42
//# peers: ld
int f(int);
int alias(void);
int main(void) { return f(1) + alias(); }
int __real_f(int);
int __wrap_f(int x) { return __real_f(x) + 10; }
//# file: other.c
int target(void) { return 30 + 1; }
//# file: plain.c -fno-lto
int f(int x) { return x; }
