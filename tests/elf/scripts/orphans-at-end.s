# Where no section follows an assignment to the location counter, or one that is not loaded, orphans
# stand behind it; before a section that only assigns there is no model for them.
//# @assigned machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# driver: ld
//# variant: end: -T end.ld
//# variant: unloaded: -T unloaded.ld
//# variant: assigned: -T assigned.ld
//# link: main.o -z noexecstack
//# @end section: .bss address=0x2000
//# @unloaded section: .bss address=0x2000
//# @assigned section: .extra address=0x2
//# @assigned section: .own address=0x4
//# lint-except: writable-code orphans of all kinds stand behind one another without a page between
//# peers: ld
.globl _start
.text
_start: ret
.data
.byte 1
.section .extra,"aw"
.byte 2
.bss
.zero 1
.section .loose,""
.byte 3
//# file: end.ld
SECTIONS { .text 0x1000 : { *(.text) } .data : { *(.data .extra) } . = ALIGN(4096); }
//# file: unloaded.ld
SECTIONS { .text 0x1000 : { *(.text) } .data : { *(.data .extra) } . = ALIGN(4096); .loose 0 : { *(.loose) } }
//# file: assigned.ld
SECTIONS { .own : { . = . + 4; } }
