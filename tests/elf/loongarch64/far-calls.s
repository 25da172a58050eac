# Calls of two instructions reach 128 GiB, also where the second one's distance is negative, and the
# older pair with `jirl` 2 GiB.
//# driver: ld
//# link: -e _start --section-start=.far=0x1000020000 --section-start=.middle=0x160000f00
//# run: exit=7
//# peers: none
.globl _start
_start:
  li.w $a0, 1
  pcaddu18i $ra, %call36(far)
  jirl $ra, $ra, 0
  pcalau12i $ra, %pc_hi20(middle)
  jirl $ra, $ra, %pc_lo12(middle)
  li.w $a7, 93
  syscall 0
.section .far, "ax"
far:
  addi.d $a0, $a0, 2
  ret
.section .middle, "ax"
middle:
  addi.d $a0, $a0, 4
  ret
