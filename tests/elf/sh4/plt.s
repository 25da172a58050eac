! The PLT of a program has addresses, and that of a library offsets from the register of the GOT.
//# driver: ld
//# shared: libf.so f.o
//# variant: program: main.o libf.so -e _start
//# variant: library: main.o libf.so -shared
//# @program disasm: * mov.l @r0,r0
//# @library disasm: * mov.l @\(r0,r12\),r0
//# peers: ld
.globl _start
_start: nop
.align 2
 .long f@PLT
//# file: f.s
.globl f
.type f, @function
f: rts
 nop
.size f, 4
