# Addresses in fields of 8, 12, 16, 20, 32 and 64 bits leave the other bits of an instruction.
//# driver: ld
//# link: -e _start --defsym=low=0x7c --defsym=displaced=0x678 --defsym=far=-0x4322 --defsym=wide=0x12345678
//# bytes: symbol(short).value = 41 12 36 78
//# bytes: symbol(long).value = e3 12 3c de fb 58
//# bytes: symbol(byte).value = 92 7c 10 00
//# bytes: symbol(half).value = 06 78
//# bytes: symbol(half).value+2 = 12 34 56 78
//# bytes: symbol(half).value+6 = 00 00 00 00 12 34 56 78
//# peers: ld lld
.globl _start
_start:
short:
  .reloc .+2, R_390_12, displaced
  la %r1,0(%r2,%r3)
long:
  .reloc .+2, R_390_20, far
  ly %r1,0(%r2,%r3)
byte:
  .reloc .+1, R_390_8, low
  mvi 0(%r1),0
.data
half: .short displaced
  .long wide
  .quad wide
