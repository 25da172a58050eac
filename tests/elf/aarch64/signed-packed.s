// With -z pack-relative-relocs words with signed pointers are in .relr.auth.dyn, with their address in the lower
// half. Imports, odd places and addends that may not fit the half stay in .rela.dyn.
//# cc: clang-19
//# compile: -march=armv8.3-a+pauth
//# variant: packed: -shared -z pack-relative-relocs
//# variant: high: -shared -z pack-relative-relocs --image-base=0x100000000
//# @packed section: .relr.auth.dyn type=0x70000004 entsize=8 size=16
//# @packed dynamic: AARCH64_AUTH_RELR value=section(.relr.auth.dyn).address
//# @packed dynamic: AARCH64_AUTH_RELRSZ value=16
//# @packed dynamic: AARCH64_AUTH_RELRENT value=8
//# @packed word64: section(.relr.auth.dyn).address = section(.data).address
//# @packed word64: section(.relr.auth.dyn).address+8 = 3
//# @packed word64: section(.data).address = section(.data).address+0x2a00000000
//# @packed word64: section(.data).address+8 = section(.data).address+0xb000001000000004
//# @high word64: section(.data).address = 0x2a00000000
//# @high word64: section(.data).address+8 = 0xb000001000000000
//# @packed reloc: 0x411 count=2
//# reloc: 0x411 place=section(.data).address+16 addend=section(.data).address+0x123456789a
//# reloc: 0x411 place=section(.data).address+33 addend=section(.data).address
//# reloc: 0x244 symbol=import addend=0 place=section(.data).address+24
//# @high no-section: .relr.auth.dyn
//# @high reloc: 0x411 count=4
//# peers: none
.data
.balign 8
.globl own
.hidden own
own: .quad own@AUTH(ia,42)
  .quad (own + 4)@AUTH(db,16,addr)
  .quad (own + 0x123456789a)@AUTH(da,1)
  .quad import@AUTH(ia,2)
  .byte 0
  .quad own@AUTH(ia,3)
.section .note.GNU-stack,"",@progbits
