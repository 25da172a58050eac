# Code for 32 bits is named as such.
//# driver: ld
//# link: -e _start main.o narrow.o
//# expect-error: narrow.o
//# peers: none
.globl _start
_start: retl
  nop
//# file: narrow.s -m32
f: retl
  nop
