# -r keeps all types, also those without a field and those with few bits.
//# driver: ld
//# relocatable: joined.o main.o more.o
//# link: joined.o -e _start
//# run: exit=3
//# bytes: symbol(predict).value = c5 00 05 00 00 03
//# peers: ld
.machine "zEC12"
.globl _start, predict
_start:
  lghi %r2,0
  brasl %r14,f@PLT
  lgrl %r1,word@GOTENT
  ag %r2,0(%r1)
  svc 1
predict:
  bprp 0,there,here
.globl there, here
here: nop 0
there: br %r14
//# file: more.s
.globl f, word
f: aghi %r2,1
  br %r14
.data
.balign 8
word: .quad 2
