// A symbol that only a dropped copy of a group defines is undefined, and as strong as it was there:
// a link to come must not take it for something that may be missing.
//# link: -r
//# symbol: helper section=UND bind=GLOBAL
//# symbol: maybe section=UND bind=WEAK
.section .text.f,"axG",@progbits,f,comdat
.globl f
f: ret
//# file: b.s
.include "machine.inc"
.section .text.f,"axG",@progbits,f,comdat
.globl f, helper
.weak maybe
f: ret
helper: ret
maybe: ret
.text
calls helper
calls maybe
