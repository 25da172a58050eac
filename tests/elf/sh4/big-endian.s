! Big-endian files have the same relocations.
//# driver: ld
//# variant: fixed: -e _start
//# variant: library: -shared
//# compile: -Wa,--big
//# link: -mshelf_linux --defsym=far=0x11223344
//# @fixed bytes: .data = 11 22 33 48
//# @library reloc: R_SH_DIR32 symbol=elsewhere addend=8
//# peers: none
.globl _start
_start: nop
.data
.align 2
  .long far + 4
.weak elsewhere
  .long elsewhere + 8
