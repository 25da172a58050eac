// A load address holds for what follows, also where the sections are smaller than the alignment of those
// that GNU ld makes of its own and leaves out.
//# machines: x86-64 aarch64 aarch64_be i386 x32 code is as long as the padding says
//# link: main.o -e 0 -T script.ld
//# segment: LOAD physical=0x10000
//# segment: LOAD physical=0x60000 filesz=0x1a
//# lint-except: writable-code code and data in one page
.text
.fill 16, 1, 0x90
.section early, "aw"
.quad 1, 2
.data
.quad 5
.byte 1
.bss
.quad 0
.section .note.GNU-stack,"",@progbits
//# file: script.ld
SECTIONS {
  . = 0x10000;
  early : { *(early) }
  .x : AT(0x60000) { BYTE(1) }
  .text : { *(.text) }
  .data : { *(.data) }
  .bss : { *(.bss) }
}
