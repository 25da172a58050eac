# A branch that does not reach goes through a thunk, at fixed addresses and elsewhere.
//# driver: ld
//# variant: fixed
//# variant: pie: -pie
//# @fixed link: -e _start --section-start=.far=0x20000000
//# @pie link: -e _start --section-start=.far=0x4000000
//# run: exit=42
//# disasm: _start bl
//# @fixed disasm: * lis +r11,8192
//# peers: ld
.globl _start
_start:
  li 3,2
  bl far
  li 0,1
  sc
.section .far,"ax"
far:
  addi 3,3,40
  blr
