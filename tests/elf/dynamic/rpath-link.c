// -rpath-link finds what libraries need, to check what they leave undefined.
//# driver: gcc
//# compile: -fPIC
//# sh: mkdir -p sub
//# shared: sub/libb.so b.o -nostdlib -Wl,-soname,libb.so
//# shared: liba.so a.o sub/libb.so -nostdlib
//# shared: libc.so c.o sub/libb.so -nostdlib
//# variant: found: main.o liba.so -Wl,-rpath-link,sub
//# variant: undefined: main.o libc.so -Wl,-rpath-link,sub
//# variant: missing: main.o liba.so -Wl,-rpath-link,nowhere
//# link: -nostdlib -Wl,-e,main
//# @found no-warning: .
//# @found no-dynamic: NEEDED libb.so
//# @undefined expect-error: undefined.*\n?.*missing
//# @missing warning: libb\.so, needed by .*liba\.so, not found
//# peers:
int a(void);
int main(void) { return a(); }
//# file: a.c
int b(void);
int a(void) { return b(); }
//# file: b.c
int b(void) { return 3; }
//# file: c.c
int b(void), missing(void);
int a(void) { return b() + missing(); }
