# Branches have 16, 21 and 26 bits for words, in one piece or two.
//# driver: ld
//# link: -e _start --section-start=.text=0x120000000 --section-start=.a=0x12001fff8 --section-start=.b=0x1203ffff0 --section-start=.c=0x127ff0000
//# run: exit=7
//# same-as: lld
//# peers: lld
.globl _start
_start:
  li.w $a0, 0
  beq $a0, $zero, a
  nop
end:
  li.w $a7, 93
  syscall 0
.section .a, "ax"
a:
  addi.d $a0, $a0, 1
  bnez $a0, b
.section .b, "ax"
b:
  addi.d $a0, $a0, 2
  b c
.section .c, "ax"
c:
  addi.d $a0, $a0, 4
  b end
