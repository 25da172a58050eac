# Code that moves itself goes with no other code.
//# driver: ld
//# compile: -fno-pie
//# link: main.o moving.o -e _start
//# expect-error: main.o has code that does not and moving.o has code that moves itself|-mrelocatable
//# peers: ld
.globl _start
_start: nop
//# file: moving.s -Wa,-mrelocatable
.globl f
f: nop
