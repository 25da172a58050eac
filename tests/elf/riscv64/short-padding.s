# Padding of instructions of four bytes is too short behind one of two: an error, for code would not
# be where it must.
//# driver: ld
//# link: -e _start
//# expect-error: main.o:\(.*\): R_RISCV_ALIGN stands where alignment takes 6 bytes of padding, and has 4
//# peers: none
.globl _start
_start:
  c.nop
  .option norvc
  .balign 8
  ret
