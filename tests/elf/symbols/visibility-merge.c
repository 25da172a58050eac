// The most constraining visibility of all references and definitions counts.
//# driver: gcc
//# compile: -fPIC
//# link: -shared
//# no-dynsym: f
//# dynsym: g section=.text
int f(void) { return 1; }
int g(void) { return f(); }
//# file: b.c
__attribute__((visibility("hidden"))) int f(void);
int h(void) { return f(); }
