# Zeros before what has bytes in one segment are zeros in the file, too, whether (NOLOAD) says so or the order.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# @unloaded,order machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le pages of 1 MiB are larger than the distances here
//# driver: ld
//# variant: unloaded: -T unloaded.ld
//# variant: order: -T order.ld
//# variant: headers: -T headers.ld
//# link: main.o
//# section: .bss type=NOBITS size=256
//# segment: LOAD filesz=272 memsz=272
//# word64: 0x20008 = 0
//# word64: 0x20108 = 2
//# peers: ld lld
.globl _start
_start: ret
.data
.quad 1
.bss
.zero 256
.section .behind,"aw"
.quad 2
.section .note.GNU-stack,""
//# file: unloaded.ld
SECTIONS { .text 0x10000 : { *(.text) }
  .data 0x20000 : { *(.data) } .bss (NOLOAD) : { *(.bss) } .behind : { *(.behind) } }
//# file: order.ld
SECTIONS { .text 0x10000 : { *(.text) }
  .data 0x20000 : { *(.data) } .bss : { *(.bss) } .behind : { *(.behind) } }
//# file: headers.ld
PHDRS { text PT_LOAD; data PT_LOAD; }
SECTIONS { .text 0x10000 : { *(.text) } :text
  .data 0x20000 : { *(.data) } :data .bss : { *(.bss) } .behind : { *(.behind) } }
