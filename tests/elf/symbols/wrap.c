// --wrap: references go to __wrap_f, and those to __real_f to f.
//# link: -Wl,--wrap=f
//# run: exit=13
int f(void);
int __real_f(void);
int __wrap_f(void) { return __real_f() + 10; }
int main(void) { return f(); }
//# file: b.c
int f(void) { return 3; }
