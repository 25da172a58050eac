# The linker's own .comment is no orphan that --orphan-handling refuses or warns of; .rela.dyn can be
# discarded, then DT_RELA names no table.
//# @error,warn machines: x86-64 i386 x32 pages have 4 KiB
//# driver: ld
//# variant: error: main.o -T all.ld --orphan-handling=error
//# variant: warn: main.o -T all.ld --orphan-handling=warn
//# variant: orphan: main.o -T part.ld --orphan-handling=error
//# variant: discard: main.o -shared -T relocations.ld
//# variant: discard-hash: main.o -shared -T hash.ld --hash-style=both
//# @error,warn no-warning: .
//# @error,warn section: .comment
//# @orphan expect-error: main\.o:\(\.data\)
//# @orphan no-error: \.comment
//# @discard no-section: .rela.dyn
//# @discard no-dynamic: RELA
//# @discard-hash no-dynamic: GNU_HASH
//# @discard-hash dynamic: HASH
//# peers: none
.globl _start
_start: ret
.data
.quad _start
.section .note.GNU-stack,""
//# file: all.ld
SECTIONS { . = 0x10000; .text : { *(.text) } . = ALIGN(0x1000); .data : { *(.data) }
  .symtab : { *(.symtab) } .strtab : { *(.strtab) } .shstrtab : { *(.shstrtab) } }
//# file: part.ld
SECTIONS { . = 0x10000; .text : { *(.text) } }
//# file: relocations.ld
SECTIONS { . = SIZEOF_HEADERS; .text : { *(.text) } . = ALIGN(0x1000); .dynamic : { *(.dynamic) } .data : { *(.data) }
  /DISCARD/ : { *(.rela.dyn) } }
//# file: hash.ld
SECTIONS { . = SIZEOF_HEADERS; .text : { *(.text) } . = ALIGN(0x1000); .dynamic : { *(.dynamic) } .data : { *(.data) }
  /DISCARD/ : { *(.gnu.hash) } }
