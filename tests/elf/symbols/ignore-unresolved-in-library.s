// --ignore-unresolved-symbol counts for what shared libraries leave undefined too.
//# shared: libund.so und.o -soname=libund.so
//# variant: ignored: --ignore-unresolved-symbol=und
//# variant: other: --ignore-unresolved-symbol=undo
//# link: main.o libund.so
//# @other expect-error: und
//# peers: ld
.globl _start
_start: nop
.section .note.GNU-stack,"",@progbits
//# file: und.s
.include "machine.inc"
calls und
.section .note.GNU-stack,"",@progbits
