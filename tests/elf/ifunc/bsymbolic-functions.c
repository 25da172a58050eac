// -Bsymbolic-functions and its like leave the address of an IFUNC to the loader, which may have to
// take the program's PLT entry for it; the address of another function they bind.
//# driver: gcc
//# variant: functions: lib.o -Wl,-Bsymbolic-functions
//# variant: non-weak: lib.o -Wl,-Bsymbolic-non-weak-functions
//# link: -shared
//# @functions,non-weak reloc: R_X86_64_64 symbol=g
//# @functions,non-weak no-reloc: R_X86_64_64 symbol=f
//# @functions,non-weak no-reloc: R_X86_64_IRELATIVE
//# @functions peers: ld lld
//# @non-weak peers: lld
//# file: lib.c -fPIC -O1
static int chosen(int x) { return x + 2; }
static void *resolve(void) { return (void *)chosen; }
int g(int) __attribute__((ifunc("resolve")));
int (*pointer_to_g)(int) = g;
int f(int x) { return x; }
int (*pointer_to_f)(int) = f;
