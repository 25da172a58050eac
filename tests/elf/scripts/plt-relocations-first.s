# A script may put the PLT's relocations before the others into one section: DT_RELA begins behind them, with the
# relative ones. The section says of no section that all are applied to it. (GNU ld lets DT_JMPREL cover all.)
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the loader's relocations have addends
//# driver: ld
//# variant: dyn: -T dyn.ld
//# variant: all: -T all.ld
//# link: main.o -shared
//# @dyn dynamic: RELA value=section(.rela.dyn).address+24
//# @dyn dynamic: JMPREL value=section(.rela.dyn).address
//# @dyn section: .rela.dyn flags=A info=0 size=72
//# @all section: .rela flags=A info=0 size=72
//# dynamic: PLTRELSZ value=24
//# dynamic: RELASZ value=48
//# dynamic: RELACOUNT value=1
//# peers: none
.include "machine.inc"
.globl f
f: calls away
ret
.data
.quad .data, other
.section .note.GNU-stack,""
//# file: dyn.ld
SECTIONS { . = SIZEOF_HEADERS; .rela.dyn : { *(.rela.plt) *(.rela.*) } .text : { *(.text .plt) }
  . = ALIGN(0x1000); .dynamic : { *(.dynamic) } .got : { *(.got) *(.got.plt) } .data : { *(.data) } }
//# file: all.ld
SECTIONS { . = SIZEOF_HEADERS; .rela : { *(.rela*) } .text : { *(.text .plt) }
  . = ALIGN(0x1000); .dynamic : { *(.dynamic) } .got : { *(.got) *(.got.plt) } .data : { *(.data) } }
