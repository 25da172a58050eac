# Padding for alignment shrinks to what is needed, also where code before it has become shorter; of
# what is left each byte belongs to an instruction.
//# driver: ld
//# variant: relaxed:
//# variant: kept: --no-relax
//# link: -e _start
//# run: exit=5
//# check: nm $OUT | grep -q '0 t aligned'
//# check: nm $OUT | grep -q '[08] t word'
//# peers: ld lld
.globl _start
_start:
  li a0, 0
  call f
  .balign 16
aligned:
  addi a0, a0, 1
  tail g
f: addi a0, a0, 3
  ret
  .option norvc
  .balign 8
word: ret
  .option rvc
  .balign 32
g: addi a0, a0, 1
  li a7, 93
  ecall
