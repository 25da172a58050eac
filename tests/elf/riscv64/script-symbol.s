# A symbol that a script or an option computes from one in code that becomes shorter has that
# place's address.
//# driver: ld
//# variant: option: --defsym=next=target+4
//# variant: script: -T next.ld
//# link: main.o -e _start
//# symbol: next value=symbol(target).value+4
//# @option run: exit=9
//# peers: ld lld
.globl _start, target
_start:
  call f
  call f
target:
  li a0, 9
  li a7, 93
  ecall
f: ret
//# file: next.ld
SECTIONS { . = 0x10000; .text : { *(.text) } next = target + 4; }
