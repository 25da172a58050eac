# A branch that does not reach is an error; so are an odd distance, and an upper part that has not
# all of the distance.
//# driver: ld
//# link: -e _start --section-start=.text=0x120000000 --section-start=.far=0x200000000 --defsym=odd=_start+2
//# expect-error: R_LARCH_B26 out of range: 3758096384 is not in \[-134217728, 134217727\]
//# expect-error: R_LARCH_B16.*odd
//# expect-error: R_LARCH_PCALA_HI20 out of range
//# peers: none
.globl _start
_start:
  bl far
  beq $a0, $a1, odd
  pcalau12i $a0, %pc_hi20(far)
.section .far, "ax"
far:
  ret
