# Relocations of the PLT in one section with all others are not those of .got.plt alone: the section has
# neither sh_info nor SHF_INFO_LINK, as GNU ld's. The loader finds both tables all the same.
//# machines: x86-64 aarch64 records of relocations have 24 bytes
//# driver: ld
//# shared: libx.so lib.o
//# variant: behind: main.o libx.so -shared -T behind.ld
//# variant: before: main.o libx.so -shared -T before.ld
//# variant: apart: main.o libx.so -shared -T apart.ld
//# @behind,before section: .rela.dyn flags=A info=0 size=72
//# @apart section: .rela.plt flags=AI info=section(.got.plt).index
//# @behind,before dynamic: PLTRELSZ value=24
//# @behind,before dynamic: RELASZ value=48
//# @behind dynamic: JMPREL value=section(.rela.dyn).address+48
//# @before dynamic: JMPREL value=section(.rela.dyn).address
//# peers: none
.include "machine.inc"
.globl _start, own
_start: calls foo
.data
own: .dc.a own, foo
.section .note.GNU-stack,""
//# file: lib.s
.globl foo
.type foo,@function
foo: ret
.section .note.GNU-stack,""
//# file: behind.ld
SECTIONS { . = SIZEOF_HEADERS; .rela.dyn : { *(.rela.dyn) *(.rela.*) } .text : { *(.text) } . = ALIGN(0x1000);
  .dynamic : { *(.dynamic) } .data : { *(.data) } }
//# file: before.ld
SECTIONS { . = SIZEOF_HEADERS; .rela.dyn : { *(.rela.plt) *(.rela.*) } .text : { *(.text) } . = ALIGN(0x1000);
  .dynamic : { *(.dynamic) } .data : { *(.data) } }
//# file: apart.ld
SECTIONS { . = SIZEOF_HEADERS; .rela.dyn : { *(.rela.dyn) } .rela.plt : { *(.rela.plt) } .text : { *(.text) }
  . = ALIGN(0x1000); .dynamic : { *(.dynamic) } .data : { *(.data) } }
