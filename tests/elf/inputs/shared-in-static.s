// A shared library cannot be linked with -static... GNU ld says so; the others ignore it.
//# driver: ld
//# shared: libx.so x.o
//# link: main.o -static libx.so
//# expect-error: libx\.so
.globl _start
_start: nop
//# file: x.s
.globl x
x: ret
