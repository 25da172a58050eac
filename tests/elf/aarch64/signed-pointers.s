// Words with signed pointers (R_AARCH64_AUTH_ABS64, 0x244) are the loader's (R_AARCH64_AUTH_RELATIVE, 0x411);
// the schema in them stays. The assemblers of peers know them, the linkers do not.
//# cc: clang-19
//# compile: -march=armv8.3-a+pauth
//# link: -shared
//# reloc: 0x411 place=section(.data).address addend=section(.data).address
//# reloc: 0x244 symbol=import addend=0
//# word32: section(.data).address+4 = 0x2a
//# word32: section(.data).address+12 = 0xb0000010
//# peers: none
.data
.globl own
.hidden own
own: .quad own@AUTH(ia,42)
  .quad import@AUTH(db,16,addr)
.section .note.GNU-stack,"",@progbits
