// What an object hides does not satisfy a library of the link, unless another library does.
//# driver: gcc
//# compile: -fPIC
//# shared: liba.so a.o
//# shared: libb.so b.o
//# variant: alone: main.o hide.o liba.so
//# variant: helped: -Wl,--no-as-needed main.o hide.o liba.so libb.so
//# variant: script: main.o show.o liba.so -Wl,--version-script=v.map
//# @alone,script expect-error: foo
//# @helped run: exit=3
int a(void);
int main(void) { return a(); }
//# file: a.c
int foo(void);
int a(void) { return foo(); }
//# file: b.c
int foo(void) { return 3; }
//# file: hide.c
__attribute__((visibility("hidden"))) int foo(void) { return 4; }
//# file: show.c
int foo(void) { return 5; }
//# file: v.map
{ local: *; };
