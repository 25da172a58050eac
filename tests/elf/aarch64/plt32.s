// R_AARCH64_PLT32 and R_AARCH64_GOTPCREL32 in data: the distance of a PLT entry, and of a GOT word.
//# cc: clang-19
//# link: -shared -z norelro
//# peers: lld
//# reloc: R_AARCH64_JUMP_SLOT symbol=function
//# reloc: R_AARCH64_GLOB_DAT symbol=variable
//# word32: section(.data).address+4 = section(.got).end-section(.data).address-12
//# check: aarch64-linux-gnu-objdump -d $OUT | grep -q "adrp"
.data
  .word function@plt - .
  .word variable@gotpcrel
.section .note.GNU-stack,"",@progbits
