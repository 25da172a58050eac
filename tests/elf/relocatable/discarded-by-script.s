# With -r too it is an error to refer to what a script discards, but in unwind tables and debug sections.
//# driver: ld
//# variant: refused: main.o
//# @refused expect-error: g.*\n(.*\n)*.*init\.text|init\.text
//# variant: fine: fine.o
//# @fine no-section: .init.text
//# variant: common: common.o
//# @common symbol: cc section=COM
//# @refused,fine link: -r -T script.ld
//# @common link: -r -T all.ld
//# peers: ld
.globl _start, g
_start: call g
call l
.section .init.text,"ax"
g: ret
l: ret
//# file: fine.s
.text
ret
.section .init.text,"ax"
g: ret
.cfi_startproc
nop
.cfi_endproc
.section .debug_info,""
.dc.a g
//# file: script.ld
SECTIONS { .text : { *(.text) } /DISCARD/ : { *(.init.text) } }
//# file: common.s
f: mov cc(%rip), %eax
.comm cc, 8, 8
//# file: all.ld
SECTIONS { .text : { *(.text) } /DISCARD/ : { *(COMMON) *(.note*) } }
