// An IFUNC has one address, called or compared, in every kind of output.
//# @static-pie,pie,now machines: x86-64 aarch64 x32 the distance of an IFUNC from the GOT is refused, as by GNU ld
//# variant: static: -static
//# variant: static-nopie: -static -no-pie | -fno-pie
//# variant: static-pie: -static-pie | -fPIE
//# variant: pie: -pie | -fPIE
//# variant: pic: -pie | -fPIC
//# variant: nopie: -no-pie | -fno-pie
//# variant: now: -pie -Wl,-z,now | -fPIE
//# variant: no-plt: -pie | -fPIC -fno-plt
//# compile: -O1
//# @static-pie,pie,now peers: lld
//# run: stdout="5 5 equal\n"
#include <stdio.h>
static int real(void) { return 5; }
static void *resolve(void) { return real; }
int f(void) __attribute__((ifunc("resolve")));
int (*pointer)(void) = f;
int (*other(void))(void);
int main(void) {
  printf("%d %d %s\n", f(), pointer(), pointer == f && other() == f ? "equal" : "different");
}
//# file: b.c
int f(void);
int (*other(void))(void) { return f; }
