# Objects of the other ABI cannot be linked.
//# driver: ld
//# link: -e _start main.o more.o
//# expect-error: main.o has the ELFv2 ABI and more.o has the ELFv1 ABI|ABI version 1
//# peers: ld
.abiversion 2
.globl _start
_start: blr
//# file: more.s
.abiversion 1
f: blr
