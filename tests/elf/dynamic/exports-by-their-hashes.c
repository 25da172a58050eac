// A library that exports many more functions than anybody asks for is searched by its own hash
// table: what is asked for is found, plain, weak, versioned or an IFUNC, and what is not exported,
// or by a hidden version only, is not bound to. A table whose hashes are not the names' is not used.
//# machines: x86-64 x32 a program of position-independent code copies data of libraries
//# driver: gcc
//# requires: objcopy dd
//# sh: for i in $(seq 1 400); do echo "int many$i(void) { return $i; }"; done > many.c; gcc -c -fPIC many.c -o many.o
//# shared: liblib.so lib.o many.o -Wl,--version-script=lib.ver -Wl,--hash-style=gnu
//# variant: true: liblib.so
//# variant: untrue: untrue.so
//# @untrue sh: objcopy -O binary --only-section=.gnu.hash liblib.so table && tail -c 1600 table | tr '\0-\377' '\1-\377\0' > tail && head -c -1600 table > head && cat head tail > other && objcopy --update-section .gnu.hash=other liblib.so untrue.so
//# link: -Wl,--unresolved-symbols=ignore-all -Wl,-z,lazy
//# dynsym: many7 version=@V bind=GLOBAL
//# dynsym: many399 version=@V
//# dynsym: feeble version=@V
//# dynsym: chosen version=@V
//# dynsym: data version=@@V
//# no-dynsym: old version=@OLD
//# no-dynsym: many8
//# @true run: env=LD_LIBRARY_PATH=. stdout="7 399 5 6 3 1 0\n"
#include <stdio.h>
int many7(void), many399(void), feeble(void), chosen(void);
extern int data;
extern int old(void) __attribute__((weak)), own(void) __attribute__((weak));
int main(void) {
    printf("%d %d %d %d %d %d %d\n", many7(), many399(), feeble(), chosen(), data, old != 0, own != 0);
}
//# file: lib.c -fPIC
int data = 3;
__attribute__((weak)) int feeble(void) { return 5; }
static int six(void) { return 6; }
static void *choose(void) { return six; }
int chosen(void) __attribute__((ifunc("choose")));
int old_one(void) { return 1; }
__asm__(".symver old_one, old@OLD");
int own(void) { return 2; }
//# file: lib.ver
OLD { };
V { global: many*; feeble; chosen; data; local: own; old_one; } OLD;
