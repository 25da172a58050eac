# Words of the GOT have their distance from `_GLOBAL_OFFSET_TABLE_` on the stack machine's stack.
//# driver: ld
//# link: -e _start
//# run: exit=9
//# peers: none
.globl _start, here
_start:
  .reloc ., R_LARCH_SOP_PUSH_PCREL, _GLOBAL_OFFSET_TABLE_
  .reloc ., R_LARCH_SOP_PUSH_GPREL, here
  .reloc ., R_LARCH_SOP_ADD
  .reloc ., R_LARCH_SOP_PUSH_ABSOLUTE, 2
  .reloc ., R_LARCH_SOP_SR
  .reloc ., R_LARCH_SOP_POP_32_S_5_20
  pcaddi $a0, 0
  ld.d $a0, $a0, 0
  ld.w $a0, $a0, 0
  li.w $a7, 93
  syscall 0
.data
.balign 4
here: .word 9
