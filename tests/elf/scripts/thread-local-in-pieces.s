# What one PT_TLS cannot describe is told: zeros before what has bytes by their addresses, sections before the
# first one, bytes in several segments. GNU ld writes a template that reaches over all between them.
//# @behind machines: x86-64 i386 x32 pages have 4 KiB
//# driver: ld
//# variant: zeros: -T zeros.ld
//# variant: before: -T before.ld
//# variant: behind: -T behind.ld
//# variant: loaded: -T loaded.ld
//# variant: far: -T far.ld
//# link: main.o
//# @zeros expect-error: section .tbss has no bytes in the file and stands before .tdata, which has
//# @before expect-error: section .more stands apart from the other sections of thread-local storage
//# @behind expect-error: section .more stands apart from the other sections of thread-local storage
//# @loaded expect-error: section .more stands apart from the other sections of thread-local storage
//# @far segment: TLS address=0x20000 filesz=16 memsz=0x1018
//# peers: none
.globl _start
_start: ret
.section .tdata,"awT",@progbits
.quad 1
.section .more,"awT",@progbits
.quad 2
.section .tbss,"awT",@nobits
.quad 0
.data
.quad 5
.section .note.GNU-stack,""
//# file: zeros.ld
SECTIONS { .text 0x10000 : { *(.text) } .tdata 0x30000 : { *(.tdata .more) } .tbss 0x20000 : { *(.tbss) }
  .data 0x40000 : { *(.data) } }
//# file: before.ld
SECTIONS { .text 0x10000 : { *(.text) } .tdata 0x20008 : { *(.tdata) } .more 0x20000 : { *(.more) }
  .tbss 0x20010 : { *(.tbss) } .data 0x40000 : { *(.data) } }
//# file: behind.ld
SECTIONS { .text 0x10000 : { *(.text) } .tdata 0x20000 : { *(.tdata) } .more 0x30000 : { *(.more) }
  .tbss 0x30008 : { *(.tbss) } .data 0x40000 : { *(.data) } }
//# file: loaded.ld
SECTIONS { .text 0x10000 : { *(.text) } .tdata 0x20000 : { *(.tdata) } .more 0x20008 : AT(0x30000) { *(.more) }
  .tbss 0x20010 : { *(.tbss) } .data 0x40000 : { *(.data) } }
//# file: far.ld
SECTIONS { .text 0x10000 : { *(.text) } .tdata 0x20000 : { *(.tdata .more) } .tbss 0x21010 : { *(.tbss) }
  .data 0x40000 : { *(.data) } }
