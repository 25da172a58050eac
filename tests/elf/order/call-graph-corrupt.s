// What an object says of calls is checked.
//# cc: clang-19
//# driver: ld
//# link: -static
//# corrupt: overwrite main.o 3 ff
//# corrupt: truncate main.o 37
//# peers:
.section .text.a,"ax"
a: ret
.section .text.b,"ax"
b: ret
.globl _start
_start: ret
.cg_profile a, b, 100
.cg_profile b, a, 40
