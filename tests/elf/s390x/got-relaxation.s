# A load of an address from the GOT becomes the address where the symbol is in the program and at an
# even place; what is not that instruction, or has an addend, stays.
//# driver: ld
//# variant: fixed:
//# variant: pie: -pie --no-dynamic-linker
//# variant: kept: --no-relax
//# link: -e _start
//# @fixed,kept run: exit=31
//# @fixed,pie disasm: relaxed larl %r1,.*<even>
//# @kept disasm: relaxed lgrl
//# disasm: other larl
//# disasm: odd_one lgrl
//# disasm: unaligned lgrl
//# @fixed,pie section: .got size=48
//# @kept section: .got size=56
//# peers: none
.globl _start
_start:
  lghi %r2,0
.globl relaxed, other, odd_one, unaligned, even, odd, packed
relaxed:
  lgrl %r1,even@GOTENT
  ag %r2,0(%r1)
other:
  larl %r1,elsewhere@GOTENT
  lg %r1,0(%r1)
  ag %r2,0(%r1)
odd_one:
  lgrl %r1,odd@GOTENT
  llgc %r1,0(%r1)
  agr %r2,%r1
unaligned:
  lgrl %r1,packed@GOTENT
  llgc %r1,0(%r1)
  agr %r2,%r1
  svc 1
.data
.balign 8
even: .quad 1
.globl elsewhere
elsewhere: .quad 2
.byte 0
odd: .byte 4
.section .packed,"aw"
packed: .byte 24
