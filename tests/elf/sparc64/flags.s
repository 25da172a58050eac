# The output needs the instructions of all objects, and the strongest order of memory; those of two
# makers cannot be linked.
//# driver: ld
//# link: -e _start main.o more.o
//# header: flags=0x202
//# peers: ld
.globl _start
_start: retl
  nop
//# file: more.s -Wa,-Av9a
fzero %f0
