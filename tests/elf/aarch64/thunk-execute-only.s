// Code that may not be readable has no data in it: thunks for targets beyond 4 GiB have the address
// or the distance in instructions, where an option or the flag of the section says so.
//# variant: fixed: -static --execute-only
//# variant: pie: -pie --no-dynamic-linker -z text --execute-only
//# variant: fixed-marked: -static | -Wa,--defsym,MARKED=1
//# variant: pie-marked: -pie --no-dynamic-linker -z text | -Wa,--defsym,MARKED=1
//# link: --section-start=.far=0x2345678000
//# run: exit=3
//# symbol: __far_veneer section=.code count=1
//# symbol: __back_veneer section=.far count=1
//# no-symbol: $d
//# @fixed,fixed-marked symbol: __far_veneer size=20
//# @fixed,fixed-marked disasm: __far_veneer mov x16, #0x8000 .*\n.*movk x16, #0x4567, lsl #16\n.*movk x16, #0x23, lsl #32\n.*movk x16, #0x0, lsl #48\n.*br x16
//# @pie,pie-marked symbol: __far_veneer size=28
//# @pie,pie-marked disasm: __far_veneer adr x16, .* <__far_veneer>\n.*mov x17, .*\n.*movk x17, .*\n.*movk x17, .*\n.*movk x17, .*\n.*add x16, x16, x17\n.*br x16
//# @pie,pie-marked disasm: __back_veneer adr x16, .* <__back_veneer>\n.*mov x17, .*\n.*movk x17, .*\n.*movk x17, .*\n.*movk x17, #0xffff, lsl #48
//# peers:
.ifdef MARKED
.section .code, "0x20000006", @progbits
.else
.section .code, "ax", @progbits
.endif
.globl _start
_start:
  mov x0, #0
  bl far
  mov x8, #93
  svc #0
.globl back
.type back, %function
back:
  add x0, x0, #1
  ret
.ifdef MARKED
.section .far, "0x20000006", @progbits
.else
.section .far, "ax", @progbits
.endif
.globl far
.type far, %function
far:
  mov x19, x30
  bl back
  add x0, x0, #2
  ret x19
.section .note.GNU-stack, "", @progbits
