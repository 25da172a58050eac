// Addresses on the command line that leave too little room.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# peers: none
//# driver: ld
//# link: -Ttext=0x401000 -Tdata=0x401010
//# error-text: ld: error: section .data overlaps with .text
//# error-text: >>> .data range is [0x401010, 0x401013]
//# error-text: >>> .text range is [0x401000, 0x40101f]
__asm__(".globl _start; _start: .skip 32");
int value = 1;
