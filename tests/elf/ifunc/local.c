// A local IFUNC.
//# @pie machines: x86-64 aarch64 x32 the distance of an IFUNC from the GOT is refused, as by GNU ld
//# variant: static: -static -no-pie | -fno-pie
//# variant: pie: -pie | -fPIE
//# variant: nopie: -no-pie | -fno-pie
//# @pie peers: lld
//# run: exit=5
static int real(void) { return 5; }
static void *resolve(void) { return real; }
static int f(void) __attribute__((ifunc("resolve")));
int (*volatile pointer)(void) = f;
int main(void) { return pointer == f ? f() : 1; }
