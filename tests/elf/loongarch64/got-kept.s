# All loads of an address from the GOT in a section stay if one of them cannot be rewritten: a
# branch may lead from before one to the second instruction of another.
//# driver: ld
//# link: -e _start
//# run: exit=3
//# disasm: _start pcalau12i \$a0.*\n.*ld.d \$a0
//# disasm: _start pcalau12i \$a1
//# no-disasm: _start addi.d \$a[01]
//# peers: lld
.globl _start, here
_start:
  pcalau12i $a0, %got_pc_hi20(here)
  ld.d $a0, $a0, %got_pc_lo12(here)
  pcalau12i $a1, %got_pc_hi20(here)
  nop
  ld.d $a1, $a1, %got_pc_lo12(here)
  ld.w $a0, $a0, 0
  ld.w $a1, $a1, 0
  add.d $a0, $a0, $a1
  srli.d $a0, $a0, 1
  li.w $a7, 93
  syscall 0
.size _start, . - _start
.data
here: .word 3
