# Distances count in halfwords or in bytes, from the place of the field.
//# driver: ld
//# link: -e _start --section-start=.far=0x3000000
//# run: exit=21
//# bytes: symbol(predict).value = c5 00 05 00 00 07
//# word16: symbol(words).value = symbol(data).value-symbol(words).value
//# word32: symbol(words).value+2 = symbol(data).value-symbol(words).value-2
//# peers: ld
.machine "zEC12"
.globl _start
_start:
  lghi %r2,0
predict:
  bprp 0,near,target
  j near
  .globl near, target
near: aghi %r2,1
target:
  brasl %r14,far
  larl %r1,words
  lh %r3,0(%r1)
  lgfr %r3,%r3
  agr %r3,%r1
  ag %r2,0(%r3)
  lgf %r3,2(%r1)
  agr %r3,%r1
  ag %r2,10(%r3)
  lg %r3,6(%r1)
  agr %r3,%r1
  ag %r2,22(%r3)
  svc 1
.section .far,"ax"
.globl far
far: aghi %r2,2
  br %r14
.data
.balign 8
.globl words, data
words:
  .short data - .
  .long data - .
  .quad data - .
  .short 0
data: .quad 3
  .quad 5
  .quad 10
