// The address of an indirect function in code that the loader relocates is that of its PLT entry.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 s390x ppc64le sparc64 arm loongarch64 an address is no descriptor, which no loader moves in code
//# lint-except: relocated-code asked for
//# compile: -fPIE
//# link: -pie -z notext
//# run: stdout="7 1\n"
//# peers: none
#include <stdio.h>
static int f(void) { return 7; }
static void *choose(void) { return f; }
int g(void) __attribute__((ifunc("choose")));
extern int (*const pointer)(void);
__asm__(".section .text.pointer,\"ax\"\n.balign 8\npointer: .quad g\n.text\n");
int main() {
    printf("%d %d\n", pointer(), (void *)pointer == (void *)g);
    return 0;
}
