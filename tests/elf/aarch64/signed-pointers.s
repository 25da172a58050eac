// Words with signed pointers (R_AARCH64_AUTH_ABS64, 0x244) are the loader's (R_AARCH64_AUTH_RELATIVE, 0x411);
// the schema in them stays. The assemblers of peers know them, the linkers do not.
//# cc: clang-19
//# compile: -march=armv8.3-a+pauth
//# link: -shared
//# reloc: 0x411 place=section(.data).address addend=section(.data).address
//# reloc: 0x244 symbol=import addend=0
//# word64: section(.data).address = 0x2a00000000
//# word64: section(.data).address+8 = 0xb000001000000000
//# peers: none
.data
.globl own
.hidden own
own: .quad own@AUTH(ia,42)
  .quad import@AUTH(db,16,addr)
.section .note.GNU-stack,"",@progbits
