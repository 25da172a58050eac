// .gnu.linkonce sections go where GNU ld's script has them, of debug information too one of each name.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# driver: ld
//# link: -static
//# section: .debug_info size=4
//# section: .data.rel.ro size=8
//# section: .data size=8
//# no-section: .gnu.linkonce.wi.f
//# peers: ld
.section .gnu.linkonce.wi.f,"",@progbits
.long 1
.section .gnu.linkonce.d.rel.ro.local.v,"aw",@progbits
.quad 2
.section .gnu.linkonce.d.v,"aw",@progbits
.quad 3
.text
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
//# file: b.s
.section .gnu.linkonce.wi.f,"",@progbits
.long 1
.section .note.GNU-stack,"",@progbits
