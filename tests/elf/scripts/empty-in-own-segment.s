// An output section without bytes in a segment of its own has a place within the file: tools that rewrite
// the file refuse anything else.
//# variant: alone: -T alone.ld
//# variant: zeros: -T zeros.ld
//# link: main.o -e 0
//# peers: none
//# lint-except: writable-code asked for
//# segment: LOAD address=0x50800
//# check: strip $OUT -o stripped
//# check: objcopy $OUT copied
.text
ret
.data
.long 7
.bss
.long 0
.section .empty,"aw"
symbol:
.section .note.GNU-stack,"",@progbits
//# file: alone.ld
PHDRS { all PT_LOAD; empty PT_LOAD; }
SECTIONS {
  .text 0x10000 : { *(.text) } :all
  .data : { *(.data) *(.bss) }
  .empty 0x50800 : { KEEP(*(.empty)) } :empty
}
//# file: zeros.ld
PHDRS { all PT_LOAD; empty PT_LOAD; }
SECTIONS {
  .text 0x10000 : { *(.text) } :all
  .data : { *(.data) }
  .empty 0x50800 : { KEEP(*(.empty)) } :empty
  .bss : { *(.bss) }
}
