// Code in a program that the loader relocates cannot have the distance of a weak symbol that a library may
// define. Where none may, it has some place near by, as the ABI allows.
//# file: lib.s
//# shared: lib.so lib.o
//# variant: dynamic: -pie main.o lib.so
//# variant: alone: -pie --no-dynamic-linker main.o
//# variant: hidden: -pie hidden.o lib.so
//# link:
//# @dynamic expect-error: R_AARCH64_ADR_PREL_PG_HI21.*nothing
//# @dynamic expect-error: R_AARCH64_ADR_PREL_LO21.*nothing
//# @dynamic expect-error: R_AARCH64_LD_PREL_LO19.*nothing
//# @dynamic expect-error: R_AARCH64_PREL32.*nothing
//# @alone,hidden disasm: _start adrp x0, .*\n.*add x0, x0, .*\n.*adr x0, .*\n.*ldr x0, 
//# peers: none
.globl f
f: ret
.section .note.GNU-stack,"",@progbits
//# file: main.s
.globl _start
.weak nothing
_start:
  adrp x0, nothing
  add x0, x0, #:lo12:nothing
  adr x0, nothing
  ldr x0, nothing
.size _start, . - _start
.data
.word nothing - .
.section .note.GNU-stack,"",@progbits
//# file: hidden.s
.globl _start
.weak nothing
.hidden nothing
_start:
  adrp x0, nothing
  add x0, x0, #:lo12:nothing
  adr x0, nothing
  ldr x0, nothing
.size _start, . - _start
.data
.word nothing - .
.section .note.GNU-stack,"",@progbits
