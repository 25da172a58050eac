| Relocations that are kept have the addresses of the output.
//# driver: ld
//# link: -e _start --emit-relocs
//# reloc: R_68K_PLT32 place=symbol(_start).value+2 symbol=f
//# reloc: R_68K_32 place=symbol(_start).value+8 symbol=value
//# reloc: R_68K_GOT32 symbol=_GLOBAL_OFFSET_TABLE_ addend=2
//# peers: ld
.globl _start, value, f
_start:
  bsr.l f@PLTPC
  move.l value, %d0
  lea (_GLOBAL_OFFSET_TABLE_@GOTPC, %pc), %a5
f: rts
.data
value: .long 1
