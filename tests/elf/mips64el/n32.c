// The n32 ABI: addresses have 32 bits, and the steps of a relocation are relocations of one place.
//# driver: ld
//# compile: -mabi=n32 -O1 -fno-stack-protector
//# variant: plain: main.o more.o
//# variant: collected: main.o more.o --gc-sections
//# link: -m elf32ltsmipn32 -e __start
//# requires: qemu-mipsn32el
//# check: qemu-mipsn32el ./$OUT
//# peers: ld lld
extern int data;
int twice(int);
static int table[] = {1, 2, 3};
int *pointer = &table[1];
int big[30000] = {1};
static void leave(long status) {
  register long number __asm__("$2") = 6058;
  register long first __asm__("$4") = status;
  __asm__ volatile("syscall" : "+r"(number) : "r"(first) : "memory");
}
void start(void) { leave(twice(data) + *pointer + table[2] + big[29999] - 25); }
__asm__(".globl __start\n .ent __start\n .set noreorder\n"
        "__start: bal 1f\n nop\n"
        "1: lui $28, %hi(%neg(%gp_rel(1b)))\n"
        " addiu $28, $28, %lo(%neg(%gp_rel(1b)))\n"
        " addu $28, $28, $31\n"
        " lw $25, %call16(start)($28)\n"
        " jalr $25\n nop\n .end __start\n");
//# file: more.c
int data = 10;
int twice(int x) { return 2 * x; }
