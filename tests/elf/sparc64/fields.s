# Addresses in fields of instructions and data, in parts and whole, leave the other bits.
//# driver: ld
//# compile: -fno-pic
//# link: -e _start --defsym=wide=0x123456789abcdef0 --defsym=low=0x12345678 --defsym=middle=0x123456789ab --defsym=negative=-0x1000 --defsym=small=0x15 --defsym=high=0x234567890
//# bytes: symbol(_start).value = 03 04 8d 15 82 10 62 78
//# bytes: symbol(parts).value = 03 04 8d 15 82 10 62 78 05 26 af 37
//# bytes: symbol(middles).value = 03 04 8d 15 82 10 62 78 82 10 69 ab
//# bytes: symbol(inverted).value = 03 00 00 03 82 18 7c 00
//# bytes: symbol(more).value = c2 00 62 7d
//# bytes: symbol(immediate).value = 82 00 60 15 83 28 60 15 83 28 70 15
//# bytes: symbol(lower).value = 03 23 45 67
//# bytes: symbol(data).value = 15 00 15 12 34 56 78 12 34 56 78 9a bc de f0
//# peers: ld
.register %g2, #scratch
.globl _start
_start:
  sethi %hi(low), %g1
  or %g1, %lo(low), %g1
parts:
  sethi %hh(wide), %g1
  or %g1, %hm(wide), %g1
  sethi %lm(wide), %g2
middles:
  sethi %h44(middle), %g1
  or %g1, %m44(middle), %g1
  or %g1, %l44(middle), %g1
inverted:
  sethi %hix(negative), %g1
  xor %g1, %lox(negative), %g1
more:
  lduw [%g1 + %lo(low) + 5], %g1
immediate:
  add %g1, small, %g1
  sll %g1, small, %g1
  sllx %g1, small, %g1
lower:
  sethi %h34(high), %g1
.data
data:
  .byte small
  .uahalf small
  .uaword low
  .uaxword wide
