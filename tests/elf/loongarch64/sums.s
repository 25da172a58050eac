# Distances in data are sums of relocations: of six bits, of one to eight bytes and of ULEB128, with
# code between that becomes shorter.
//# driver: ld
//# link: -e _start
//# run: exit=32
//# bytes: .data = 44 04 04 00 04 00 00 ff 04 00 00 00 04 00 00 00 00 00 00 00 84 80 00
//# peers: none
.globl _start, a, b
_start:
  la.pcrel $t0, data
  ld.bu $a0, $t0, 1
  slli.d $a0, $a0, 3
  li.w $a7, 93
  syscall 0
a:
  pcaddu18i $ra, %call36(b)
  .reloc .-4, R_LARCH_RELAX
  jirl $ra, $ra, 0
b: ret
.macro distance number, bits
  .reloc data + \number, R_LARCH_ADD\bits, b
  .reloc data + \number, R_LARCH_SUB\bits, a
.endm
.data
data:
  .byte 0x40, 0
  .2byte 0
  .byte 0, 0, 0, 0xff
  .4byte 0
  .8byte 0
  .byte 0x80, 0x80, 0
  distance 0, 6
  distance 1, 8
  distance 2, 16
  distance 4, 24
  distance 8, 32
  distance 12, 64
  distance 20, _ULEB128
