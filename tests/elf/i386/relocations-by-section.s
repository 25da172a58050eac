# A script names the dynamic relocations after the sections that they apply to, as GNU ld does, and
# discards all that it does not name: they stay.
//# driver: ld
//# link: main.o -shared -T layout.ld
//# section: .rel.got type=REL size=24
//# dynamic: REL value=section(.rel.got).address
//# dynamic: RELSZ value=24
//# reloc: R_386_RELATIVE section=.data
//# reloc: R_386_GLOB_DAT symbol=shared section=.got
//# peers: none
.globl _start
_start: mov shared@GOT(%ebx), %eax
.data
.globl own, shared
own: .long own, hidden
hidden: .long 0
shared: .long 0
.section .note.GNU-stack,""
//# file: layout.ld
SECTIONS { . = SIZEOF_HEADERS; .text : { *(.text) } .dynsym : { *(.dynsym) } .dynstr : { *(.dynstr) } .hash : { *(.hash) }
  .rel.data : { *(.rel.data .rel.data.*) } .rel.got : { *(.rel.got) } . = ALIGN(0x1000);
  .data : { *(.data) } .got : { *(.got.plt) *(.got) } .dynamic : { *(.dynamic) } /DISCARD/ : { *(*) } }
