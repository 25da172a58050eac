# Addresses of 64 bits, relative to pages, absolute and from the GOT, have four parts each; what is
# far is reached in both directions.
//# driver: ld
//# link: -e _start --section-start=.high=0x5c56ff800 --section-start=.low=0x100000
//# run: exit=84
//# peers: lld
.globl _start
.macro far register, hi20, lo12, lo20, hi12, symbol
  pcalau12i $t0, %\hi20(\symbol)
  addi.d $t1, $zero, %\lo12(\symbol)
  lu32i.d $t1, %\lo20(\symbol)
  lu52i.d $t1, $t1, %\hi12(\symbol)
  add.d \register, $t0, $t1
.endm
.macro whole register, symbol
  lu12i.w \register, %abs_hi20(\symbol)
  ori \register, \register, %abs_lo12(\symbol)
  lu32i.d \register, %abs64_lo20(\symbol)
  lu52i.d \register, \register, %abs64_hi12(\symbol)
.endm
_start:
  far $a0, pc_hi20, pc_lo12, pc64_lo20, pc64_hi12, high
  ld.bu $a0, $a0, 0
  far $a1, pc_hi20, pc_lo12, pc64_lo20, pc64_hi12, low
  ld.bu $a1, $a1, 0
  add.d $a0, $a0, $a1
  whole $a1, high
  ld.bu $a1, $a1, 0
  add.d $a0, $a0, $a1
  far $a1, got_pc_hi20, got_pc_lo12, got64_pc_lo20, got64_pc_hi12, high
  ld.d $a1, $a1, 0
  ld.bu $a1, $a1, 0
  add.d $a0, $a0, $a1
  li.w $a7, 93
  syscall 0
.section .high, "aw"
high: .byte 26
.section .low, "aw"
low: .byte 6
