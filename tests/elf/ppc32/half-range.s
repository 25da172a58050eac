# Fields of 16 bits hold what their instruction makes of them.
//# driver: ld
//# variant: fits: main.o fits.o
//# variant: load: main.o load.o
//# variant: logical: main.o logical.o
//# link: -e _start --defsym=high=0xffff --defsym=low=-0x8000
//# @load expect-error: relocation R_PPC_ADDR16 out of range|relocation truncated to fit: R_PPC_ADDR16
//# @logical expect-error: relocation R_PPC_ADDR16 out of range|relocation truncated to fit: R_PPC_ADDR16
//# @fits bytes: section(.text).address+4 = 60 63 ff ff 80 60 80 00 28 03 ff ff
//# peers: ld
.globl _start
_start: blr
//# file: fits.s
  ori 3,3,high
  lwz 3,low(0)
  cmplwi 3,high
.data
  .short high
  .short low
//# file: load.s
  lwz 3,high(0)
//# file: logical.s
  ori 3,3,low
