// What a reference says is in the output itself must be defined there: no library has it, and no
// option lets it be undefined.
//# driver: gcc
//# compile: -fPIC
//# shared: liba.so a.o
//# variant: hidden: hidden.o -no-pie
//# variant: hidden-ignored: hidden.o -no-pie -Wl,--unresolved-symbols=ignore-all
//# variant: hidden-warned: hidden.o -pie -Wl,--warn-unresolved-symbols
//# variant: protected: protected.o -no-pie
//# variant: protected-ignored: protected.o -pie -Wl,--unresolved-symbols=ignore-all
//# variant: protected-warned: protected.o -no-pie -Wl,--warn-unresolved-symbols
//# variant: protected-shared: protected.o -shared
//# link: liba.so
//# expect-error: undefined.* f|undefined.*`f
//# file: hidden.c
__attribute__((visibility("hidden"))) int f(void);
int main(void) { return f(); }
//# file: protected.c
__attribute__((visibility("protected"))) int f(void);
int main(void) { return f(); }
//# file: a.c
int f(void) { return 1; }
