// Programs of each kind without a C library, by words in the code and through the GOT and the PLT.
//# driver: gcc
//# variant: fixed: -static
//# variant: pie: -pie -Wl,--no-dynamic-linker | -fPIC
//# variant: gc: -static -Wl,--gc-sections,--icf=all | -ffunction-sections
//# variant: dynamic: | -DOTHER
//# compile: -O1 -ffreestanding
//# requires: qemu-sh4
//# shared: libother.so other.o -nostdlib
//# @fixed,pie,gc link: main.o more.o -nostdlib
//# @dynamic link: main.o more.o libother.so -nostdlib
//# @dynamic reloc: R_SH_JMP_SLOT symbol=other
//# @dynamic reloc: R_SH_COPY symbol=copied
//# @fixed,gc check: timeout 20 qemu-sh4 $OUT || test $? = 42
//# @pie reloc: R_SH_RELATIVE section=.got
//# @fixed peers: ld
//# @gc peers: none
//# @pie,dynamic peers: ld
extern int value, *pointer;
int twice(int);
#ifdef OTHER
int other(int);
extern int copied;
#else
#define other(x) (x)
static int copied = 1;
#endif
void _start(void) {
  int sum = twice(other(*pointer)) + copied + 1;
  register int number asm("r3") = 1;
  register int status asm("r4") = sum;
  asm volatile("trapa #0x11" : : "r"(number), "r"(status));
  for (;;);
}
//# file: more.c
int value = 20;
int *pointer = &value;
int twice(int x) { return 2 * x; }
//# file: other.c -fPIC
int copied = 1;
int other(int x) { return x + copied - 1; }
