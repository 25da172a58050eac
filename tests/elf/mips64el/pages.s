# Words of pages: the page of each reference has a word, also where the parts of a section are more
# than 64 KiB apart, and the rest is what the second instruction adds.
//# driver: ld
//# link: -e __start
//# run: exit=42
//# peers: ld lld
.set noreorder
.globl __start
.ent __start
__start:
  bal 1f
  nop
1:
  lui $28, %hi(%neg(%gp_rel(1b)))
  daddiu $28, $28, %lo(%neg(%gp_rel(1b)))
  daddu $28, $28, $31
  ld $4, %got_page(first)($28)
  lw $4, %got_ofst(first)($4)
  ld $5, %got_page(second)($28)
  lw $5, %got_ofst(second)($5)
  addu $4, $4, $5
  ld $5, %got_page(third)($28)
  lw $5, %got_ofst(third)($5)
  addu $4, $4, $5
  li $2, 5058
  syscall
.end __start
.data
first: .word 10
  .space 0x17ffc
second: .word 12
  .space 0x8000
third: .word 20
