# Relocations of a stack machine, as compilers wrote them for the first psABI, compute what the last
# of a place pops into its instruction.
//# driver: ld
//# link: -e _start
//# run: exit=42
//# peers: none
.globl _start
.macro pushes type, symbol
  .reloc ., R_LARCH_SOP_PUSH_\type, \symbol
.endm
.macro does type
  .reloc ., R_LARCH_SOP_\type
.endm
_start:
  # The address of `word`: its page, then the rest.
  pushes PCREL, word + 0x800
  pushes ABSOLUTE, 12
  does SR
  does POP_32_S_5_20
  pcaddu12i $a0, 0
  pushes PCREL, word + 4
  pushes PCREL, word + 4 + 0x800
  pushes ABSOLUTE, 12
  does SR
  pushes ABSOLUTE, 12
  does SL
  does SUB
  does POP_32_S_10_12
  addi.d $a0, $a0, 0
  ld.w $a0, $a0, 0
  # One of two numbers, by a condition.
  pushes ABSOLUTE, 5
  does NOT
  pushes ABSOLUTE, 100
  pushes ABSOLUTE, 2
  does IF_ELSE
  does PUSH_DUP
  does ASSERT
  does POP_32_S_10_12
  addi.d $a0, $a0, 0
  # A call, whose distance is in words.
  pushes PLT_PCREL, add
  does POP_32_S_0_10_10_16_S2
  bl 0
  li.w $a7, 93
  syscall 0
add:
  pushes ABSOLUTE, 3
  pushes ABSOLUTE, 2
  does ADD
  does POP_32_U_10_12
  ori $a1, $zero, 0
  add.d $a0, $a0, $a1
  ret
.data
.balign 4
word: .word 35
