// A reference to a local symbol of a dropped group is an error that names the section.
//# link: -static
//# expect-error: (?i)discarded
.include "machine.inc"
.section .text.f,"axG",@progbits,f,comdat
.weak f
f: ret
.text
.globl _start
_start: calls f
//# file: b.s
.include "machine.inc"
.section .text.f,"axG",@progbits,f,comdat
.weak f
f: ret
local: ret
.text
  calls local
