# Objects that pass floating-point arguments in registers and such that do not cannot be joined.
//# driver: ld
//# compile: -mabi=lp64d
.globl _start
_start: bl f
//# file: other.s -mabi=lp64s
.globl f
f: ret
//# link: -e _start
//# expect-error: other.o.*the soft-float ABI
//# expect-error: the double-float ABI
//# peers: none
