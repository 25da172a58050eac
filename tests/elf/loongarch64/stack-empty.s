# A relocation that pops from an empty stack is an error.
//# driver: ld
//# link: -e _start
//# expect-error: R_LARCH_SOP_POP_32_U cannot be applied
//# peers: none
.globl _start
_start:
  .reloc ., R_LARCH_SOP_POP_32_U
  nop
