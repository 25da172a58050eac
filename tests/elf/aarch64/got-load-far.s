// A load from the GOT stays where the symbol is farther away than ADRP reaches: by an option, or by
// the addresses of a script.
//# variant: option: --section-start=.distant=0x500000000
//# variant: pie: -pie --no-dynamic-linker -z text --section-start=.distant=0x500000000
//# variant: section: -T section.ld
//# variant: memory: -T memory.ld
//# link: -static
//# @option run: exit=42
//# @section run: exit=42
//# @memory run: exit=42
//# disasm: _start adrp .*\n.*ldr x1, \[x1, #\d+\]
//# peers: ld lld
.globl _start
_start:
  adrp x1, :got:answer
  ldr x1, [x1, :got_lo12:answer]
  ldr x0, [x1]
  mov x8, #93
  svc #0
.section .distant, "aw"
.globl answer
answer: .quad 42
.section .note.GNU-stack, "", @progbits
//# file: section.ld
SECTIONS {
  . = 0x400000 + SIZEOF_HEADERS;
  .text : { *(.text) }
  .got 0x600000 : { *(.got) *(.got.plt) }
  .distant 0x500000000 : { *(.distant) }
}
//# file: memory.ld
MEMORY {
  ROM (rx) : ORIGIN = 0x400000, LENGTH = 1M
  NEAR (rw) : ORIGIN = 0x600000, LENGTH = 1M
  RAM (rw) : ORIGIN = 0x500000000, LENGTH = 1M
}
SECTIONS {
  .text : { *(.text) } >ROM
  .got : { *(.got) *(.got.plt) } >NEAR
  .distant : { *(.distant) } >RAM
}
