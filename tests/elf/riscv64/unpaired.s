# A lower part without an upper part at its label is refused.
//# driver: ld
//# link: -e _start
//# expect-error: main.o:\(.*\): relocation R_RISCV_PCREL_LO12_I refers to .*, where no relocation has the upper part
//# peers: none
.globl _start
_start:
  nop
label:
  nop
  .reloc ., R_RISCV_PCREL_LO12_I, label
  addi a0, a0, 0
