// A big-endian program, at fixed addresses and through its GOT.
//# driver: ld
//# variant: words: | -mb
//# variant: got: | -mb -fPIC
//# compile: -O1 -ffreestanding
//# requires: qemu-sh4eb
//# link: -mshelf_linux main.o more.o
//# check: timeout 20 qemu-sh4eb $OUT || test $? = 42
//# peers: none
extern int value, *pointer;
int twice(int);
void _start(void) {
  int sum = twice(*pointer) + 2;
  register int number asm("r3") = 1;
  register int status asm("r4") = sum;
  asm volatile("trapa #0x11" : : "r"(number), "r"(status));
  for (;;);
}
//# file: more.c
int value = 20;
int *pointer = &value;
int twice(int x) { return 2 * x; }
