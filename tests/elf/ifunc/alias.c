// An alias of an IFUNC calls what the resolver chose, by call and by pointer, and for other modules.
//# @pie,script machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 s390x ppc64le sparc64 arm loongarch64 an address is no descriptor, which no loader moves in code
//# variant: fixed: -no-pie a.o
//# variant: pie: -pie a.o
//# variant: static: -static a.o
//# variant: static-pie: -static-pie a.o
//# variant: script: a.o alias.ld
//# variant: shared: ./liba.so
//# archive: unused.a a.o user.o
//# compile: -fPIC
//# shared: liba.so a.o user.o -Wl,--defsym=alias=chosen -Wl,--version-script=hidden.ver
//# @fixed,pie,static,static-pie link: main.o user.o -Wl,--defsym=alias=chosen -Wl,--defsym=inner=chosen
//# @script link: main.o user.o
//# @shared link: main.o -Wl,-rpath,.
//# run: stdout="3 3 3 3\n"
//# peers: ld
#include <stdio.h>
extern int alias(int), by_inner(int), by_pointer(int);
int main(void) {
  int (*volatile pointer)(int) = alias;
  printf("%d %d %d %d\n", alias(1), pointer(1), by_inner(1), by_pointer(1));
  return 0;
}
//# file: a.c -fPIC
static int own(int x) { return x + 2; }
static void *resolve(void) { return own; }
int chosen(int) __attribute__((ifunc("resolve")));
//# file: user.c -fPIC
extern int inner(int);
#pragma weak inner
int alias(int);
int by_inner(int x) { return inner ? inner(x) : alias(x); }
int by_pointer(int x) {
  int (*volatile pointer)(int) = alias;
  return pointer(x);
}
//# file: alias.ld
alias = chosen;
HIDDEN(inner = alias);
//# file: hidden.ver
{ global: alias; by_*; local: *; };
