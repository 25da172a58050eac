# Objects that keep the stack aligned differently are named.
//# driver: ld
//# link: -e _start main.o more.o
//# expect-error: main.o and more.o: .riscv.attributes: stack_align is 16 in one and 8 in the other|stack align
//# peers: ld
.attribute stack_align, 16
.globl _start
_start: ret
//# file: more.s
.attribute stack_align, 8
f: ret
