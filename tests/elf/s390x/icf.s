# Functions that differ in how they reach a symbol are not folded; equal ones are, through calls.
//# driver: ld
//# link: -e _start --icf=all
//# symbol: f value=symbol(g).value
//# symbol: h value!=symbol(f).value
//# peers: lld
.globl _start, f, g, h, called, other
_start: br %r14
.section .text.f,"ax"
f: brasl %r14,called@PLT
  br %r14
.section .text.g,"ax"
g: brasl %r14,called@PLT
  br %r14
.section .text.h,"ax"
h: brasl %r14,other@PLT
  br %r14
.section .text.called,"ax"
called: lghi %r2,1
  br %r14
.section .text.other,"ax"
other: lghi %r2,2
  br %r14
