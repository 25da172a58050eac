// The exception table of all functions may refer to a copy of a function that is left out. A table
// of one function that outlives it would be read wrongly: GNU ld and lld refuse it; -r warns as lld.
//# @partly,partly-frame machines: x86-64 aarch64 aarch64_be i386 x32 labels keep their names, and are named
//# driver: ld
//# variant: common: main.o common.o
//# variant: own: main.o own.o
//# variant: partly-common: -r main.o common.o
//# variant: partly: -r main.o own.o
//# variant: partly-frame: -r main.o frame.o
//# @own expect-error: (?i)discarded section
//# @partly,partly-frame warning: discarded section: .text.f
//# @partly-common no-warning: discarded
//# @common peers: ld
//# @own peers: ld, lld
.section .text.f,"axG",@progbits,f,comdat
.weak f
f: nop
.text
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
//# file: common.s
.section .text.f,"axG",@progbits,f,comdat
.weak f
f: nop
.Lin: nop
.section .gcc_except_table,"a",@progbits
.quad .Lin
.section .note.GNU-stack,"",@progbits
//# file: own.s
.section .text.f,"axG",@progbits,f,comdat
.weak f
f: nop
.Lin: nop
.section .gcc_except_table.f,"a",@progbits
.quad .Lin
.section .note.GNU-stack,"",@progbits
//# file: frame.s
.section .text.f,"axG",@progbits,f,comdat
.weak f
f: nop
.Lin: nop
.section .eh_frame_x,"a",@progbits
.quad .Lin
.section .note.GNU-stack,"",@progbits
