# A script that puts tables of the linker into memory that no bytes of the file are loaded into is
# told so: the program would lose relocations, code or symbols. GNU ld: section has no contents.
# What nobody reads at run time may stand there, and a stated type of NOBITS gives way to tables.
//# driver: ld
//# shared: libx.so lib.o
//# variant: relocations: main.o libx.so -pie -T relocations.ld
//# variant: typed: main.o libx.so -pie -T typed.ld
//# variant: plt: main.o libx.so -pie -T plt.ld
//# variant: got: main.o -T got.ld
//# variant: dynamic: main.o libx.so -pie -T dynamic.ld
//# variant: names: main.o libx.so -pie -T names.ld
//# variant: notes: lone.o -T notes.ld --build-id
//# @relocations expect-error: section \.rela\.dyn would not be written: the script puts it into \.bss
//# @relocations expect-error: section \.rela\.plt would not be written: the script puts it into \.bss
//# @plt expect-error: section \.plt would not be written: the script puts it into \.n
//# @got expect-error: section \.got would not be written: the script puts it into \.n
//# @dynamic expect-error: section \.dynamic would not be written: the script puts it into \.n
//# @names expect-error: section \.dynstr would not be written: the script puts it into \.n
//# @typed section: .bss type=RELA entsize=24
//# @notes no-warning: would not be written
//# @notes section: .n type=NOBITS
//# @typed lint-except: dynamic-relacount the table of DT_RELA is only a part of .bss
//# peers: none
.globl _start
_start: call foo@plt
  mov bar@GOTPCREL(%rip),%rax
  push bar@GOTPCREL(%rip)
.data
.dc.a _start
.weak foo, bar
.section .note.GNU-stack,""
//# file: lone.s
.globl _start
_start: ret
.section .note.GNU-stack,""
//# file: lib.s
.globl foo,bar
.type foo,@function
foo: ret
.data
.type bar,@object
.size bar,8
bar: .quad 1
.section .note.GNU-stack,""
//# file: relocations.ld
SECTIONS { . = SIZEOF_HEADERS; .text : { *(.text) } . = ALIGN(0x1000); .dynamic : { *(.dynamic) }
  .data : { *(.data) } .bss (NOLOAD) : { *(.bss) *(.rela.*) } }
//# file: typed.ld
SECTIONS { . = SIZEOF_HEADERS; .text : { *(.text) } . = ALIGN(0x1000); .dynamic : { *(.dynamic) }
  .data : { *(.data) } .bss (TYPE=SHT_NOBITS) : { *(.bss) *(.rela.*) } }
//# file: plt.ld
SECTIONS { . = SIZEOF_HEADERS; .text : { *(.text) } .n (NOLOAD) : { *(.plt) } . = ALIGN(0x1000);
  .dynamic : { *(.dynamic) } .data : { *(.data) } }
//# file: got.ld
SECTIONS { . = SIZEOF_HEADERS; .text : { *(.text) } . = ALIGN(0x1000); .data : { *(.data) } .n (NOLOAD) : { *(.got) } }
//# file: dynamic.ld
SECTIONS { . = SIZEOF_HEADERS; .text : { *(.text) } . = ALIGN(0x1000); .n (NOLOAD) : { *(.dynamic) } .data : { *(.data) } }
//# file: names.ld
SECTIONS { . = SIZEOF_HEADERS; .n (NOLOAD) : { *(.dynstr) } .text : { *(.text) } . = ALIGN(0x1000);
  .dynamic : { *(.dynamic) } .data : { *(.data) } }
//# file: notes.ld
SECTIONS { . = SIZEOF_HEADERS; .text : { *(.text) } .n (NOLOAD) : { *(.note.gnu.build-id) *(.rela.*) *(.got) *(.plt) } }
