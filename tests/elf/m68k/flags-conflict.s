| Objects for cores without common code cannot be linked; generic code goes with all.
//# driver: ld
//# variant: families: main.o cf.o
//# variant: generic: main.o generic.o
//# link: -e _start
//# @families expect-error: main.o has code of the 68000 and cf.o has code of ColdFire|incompatible
//# peers: ld
.globl _start
_start: nop
//# file: main.s -m68000
.globl f
f: nop
//# file: cf.s -mcpu=5475
.globl g
g: nop
//# file: generic.s
.globl h
h: nop
