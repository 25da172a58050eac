// ALIGN and SUBALIGN of an output section that are no power of two count as the next one, as in
// GNU ld: sh_addralign has no others. ALIGN as an expression is arithmetic. lld refuses all.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# driver: ld
//# link: main.o -T main.ld
//# peers: ld
//# section: .data address=0x106c align=4
//# section: .more address=0x1070 align=8 size=9
//# section: .bss address=0x1080 align=4
//# lint-except: writable-code code and data share a page here, as the script says
    .globl _start
    .text
_start: ret
    .data
    .byte 1
    .section .more,"aw"
    .byte 2
    .section .more.b,"aw"
    .byte 3
    .bss
    .byte 0
//# file: main.ld
SECTIONS {
  . = 0x1000; .text : { *(.text) } . = 0x1069;
  .data : ALIGN(3) { *(.data) }
  .more : SUBALIGN(6) { *(.more) *(.more.b) }
  . = ALIGN(24);
  .bss : ALIGN(3) { *(.bss) }
}
