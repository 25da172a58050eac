# Objects with other registers for arguments cannot be linked; data says nothing about code.
//# driver: ld
//# variant: code: main.o code.o
//# variant: data: main.o data.o
//# link: -e _start
//# @code expect-error: main.o has the double-float ABI and code.o has the soft-float ABI|can't link
//# @code peers: ld
//# @data peers: ld
.globl _start
_start: ret
//# file: code.s -march=rv64gc -mabi=lp64
.globl f
f: ret
//# file: data.s -march=rv64gc -mabi=lp64
.data
.globl d
d: .word 1
