// Calls in code at fixed addresses load the address of the function, so one of a protected function of a
// library goes to a PLT entry. In constants its address is an error, as elsewhere.
//# driver: gcc
//# variant: call: | -DCALL
//# variant: address:
//# compile: -O1 -ffreestanding
//# shared: libother.so other.o -nostdlib
//# link: -no-pie main.o libother.so -nostdlib
//# @call reloc: R_SH_JMP_SLOT symbol=other
//# @call dynsym: other section=UND value!=0
//# @address expect-error: cannot preempt protected symbol 'other'
//# @call peers: ld
//# @address peers: none
int other(int);
#ifdef CALL
void _start(void) { other(3); }
#else
int (*const pointer)(int) = other;
void _start(void) {}
#endif
//# file: other.c -fPIC
__attribute__((visibility("protected"))) int other(int x) { return x; }
