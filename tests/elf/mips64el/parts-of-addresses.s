# The four parts of an address of 64 bits, each rounded by those below.
//# driver: ld
//# link: -e __start
//# run: exit=5
//# peers: ld lld
.set noreorder
.globl __start
__start:
  lui $4, %highest(value)
  daddiu $4, $4, %higher(value)
  dsll $4, $4, 16
  daddiu $4, $4, %hi(value)
  dsll $4, $4, 16
  daddiu $4, $4, %lo(value)
  bal 1f
  nop
  .dword 0x123489ab8765c004
1:
  ld $5, 0($31)
  dsubu $4, $4, $5
  daddiu $4, $4, 5
  li $2, 5058
  syscall
.globl value
.set value, 0x123489ab8765c004
