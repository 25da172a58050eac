# Code for 31 bits is named as such.
//# driver: ld
//# link: -e _start main.o narrow.o
//# expect-error: narrow.o.*(\n.*)?31 bits|narrow.o
//# peers: none
.globl _start
_start: br %r14
//# file: narrow.s -m31
f: br %r14
