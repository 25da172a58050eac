// PT_LOAD entries ascend by address although the sections given addresses do not.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 programs begin below 0x10000000
//# link: -static --section-start=.high=0x20000000 --section-start=.low=0x10000000
//# section: .high address=0x20000000
//# section: .low address=0x10000000
//# run: exit=0
//# lint-except: segment-outside-load the headers are not in the first segment
.include "machine.inc"
.globl _start
_start:
  exit 0
.section .high,"a",@progbits
  .quad 1
.section .low,"a",@progbits
  .quad 2
.section .note.GNU-stack,"",@progbits
