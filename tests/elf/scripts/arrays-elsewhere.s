# A script that puts the entries of .init_array or .fini_array into another section has to say where
# they begin and end: what start files get otherwise is an empty array, and no constructor runs. GNU
# ld has the bounds from its own script alone. Where the sections have their names, where there are
# no entries, or the script discards them, the linker defines the bounds, as lld does.
//# driver: ld
//# variant: merged: main.o entries.o -T merged.ld
//# variant: renamed: main.o entries.o -T renamed.ld
//# variant: weak: weak.o entries.o -T merged.ld
//# variant: stated: main.o entries.o -T stated.ld
//# variant: none: main.o -T merged.ld
//# variant: discarded: main.o entries.o -T discarded.ld
//# variant: orphans: main.o entries.o -T orphans.ld
//# variant: unused: alone.o entries.o -T merged.ld
//# archive: all.a main.o weak.o alone.o
//# @merged,renamed expect-error: undefined (symbol|reference).*__init_array_start
//# @merged,renamed expect-error: undefined (symbol|reference).*__init_array_end
//# @merged,renamed expect-error: undefined (symbol|reference).*__fini_array_start
//# @merged,renamed no-error: __preinit_array_start
//# @weak,none,discarded word64: section(.bounds).address = symbol(__init_array_start).value
//# @weak,none,discarded word64: section(.bounds).address+8 = symbol(__init_array_start).value
//# @stated word64: section(.bounds).address = section(.data).address
//# @stated word64: section(.bounds).address+8 = section(.data).address+8
//# @orphans word64: section(.bounds).address = section(.init_array).address
//# @orphans word64: section(.bounds).address+8 = section(.init_array).end
//# @unused no-section: .init_array
//# peers: none
.globl _start
_start: ret
.section .bounds,"a"
.quad __init_array_start, __init_array_end
.quad __fini_array_start, __preinit_array_start
.section .note.GNU-stack,""
//# file: weak.s
.globl _start
_start: ret
.weak __init_array_start, __init_array_end
.section .bounds,"a"
.quad __init_array_start, __init_array_end
.section .note.GNU-stack,""
//# file: alone.s
.globl _start
_start: ret
.section .note.GNU-stack,""
//# file: entries.s
.section .init_array,"aw",@init_array
.quad fn
.section .fini_array,"aw",@fini_array
.quad fn
.text
fn: ret
.section .note.GNU-stack,""
//# file: merged.ld
SECTIONS { . = 0x10000 + SIZEOF_HEADERS; .text : { *(.text) } .bounds : { *(.bounds) } . = ALIGN(0x1000);
  .data : { *(.data) KEEP(*(.init_array*)) KEEP(*(.fini_array*)) } }
//# file: renamed.ld
SECTIONS { . = 0x10000 + SIZEOF_HEADERS; .text : { *(.text) } .bounds : { *(.bounds) } . = ALIGN(0x1000);
  .ctable : { KEEP(*(.init_array*)) } .dtable : { KEEP(*(.fini_array*)) } }
//# file: stated.ld
SECTIONS { . = 0x10000 + SIZEOF_HEADERS; .text : { *(.text) } .bounds : { *(.bounds) } . = ALIGN(0x1000);
  .data : { PROVIDE(__init_array_start = .); *(.init_array*) PROVIDE_HIDDEN(__init_array_end = .);
    __fini_array_start = .; *(.fini_array*) } }
//# file: discarded.ld
SECTIONS { . = 0x10000 + SIZEOF_HEADERS; .text : { *(.text) } .bounds : { *(.bounds) } /DISCARD/ : { *(.init_array*) *(.fini_array*) } }
//# file: orphans.ld
SECTIONS { . = 0x10000 + SIZEOF_HEADERS; .text : { *(.text) } .bounds : { *(.bounds) } . = ALIGN(0x1000);
  .data : { *(.data) } }
