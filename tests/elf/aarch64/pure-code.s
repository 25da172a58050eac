// An output section is marked as free of data (SHF_AARCH64_PURECODE) if all its inputs are. A
// segment of nothing else is not readable: one that may hold other code, too, or with --xosegment
// one of its own.
//# variant: separate: -z separate-code
//# variant: shared-segment: -z separate-code | -Wa,--defsym,OTHER=1
//# variant: own-segment: -z separate-code --xosegment | -Wa,--defsym,OTHER=1
//# variant: own-of-all: --xosegment
//# variant: undone: -z separate-code --xosegment --no-xosegment | -Wa,--defsym,OTHER=1
//# variant: usual:
//# run: exit=7
//# check: readelf -SW $OUT | grep -Eq ' \.pure .* AX[py] '
//# @shared-segment,own-segment,undone check: readelf -SW $OUT | grep -q ' \.mixed .* AX '
//# @separate,own-segment,own-of-all segment: LOAD flags=X sections=.pure
//# @own-segment segment: LOAD flags=RX sections=.mixed
//# @shared-segment,undone segment: LOAD flags=RX sections~.pure.*.mixed
//# @usual segment: LOAD flags=RX sections~.pure
//# no-segment: LOAD flags=X offset=0
//# peers:
.section .pure, "0x20000006", @progbits
.globl _start
_start:
  mov x0, #7
  mov x8, #93
  svc #0
.ifdef OTHER
.section .mixed, "0x20000006", @progbits, unique, 1
  nop
.section .mixed, "ax", @progbits, unique, 2
  nop
.endif
.section .rodata, "a", @progbits
  .word 1
.section .note.GNU-stack, "", @progbits
