// What does not fit into its region is an error that names both.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# driver: ld
//# link: main.o -T layout.ld
//# peers: none
//# expect-error: section \.data does not fit in memory region ram: it ends at 0x1028, 24 bytes behind the region
int data[10] = { 1 };
void _start(void) {}
//# file: layout.ld
MEMORY { ram : ORIGIN = 0x1000, LENGTH = 16  rest : ORIGIN = 0x100000, LENGTH = 1M }
SECTIONS { .data : { *(.data) } >ram  .all : { *(*) } >rest }
