// The address of an IFUNC is that of a descriptor, which no loader moves where code has it.
//# compile: -fPIE
//# link: -pie -z notext
//# expect-error: the address of IFUNC 'g' is not known in position-independent output
//# peers: none
static int f(void) { return 7; }
static void *choose(void) { return f; }
int g(void) __attribute__((ifunc("choose")));
__asm__(".section .text.pointer,\"ax\"\n.balign 8\npointer: .quad g\n.text\n");
int main(void) { return g() != 7; }
