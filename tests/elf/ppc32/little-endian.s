# Little-endian programs have instructions in their order, and a name of their own.
//# driver: ld
//# compile: -mlittle
//# link: -m elf32lppc -e _start
//# bytes: section(.text).address = 05 00 00 48 20 00 80 4e
//# bytes: .data = 34 12 cd ab
//# peers: ld
.globl _start
_start:
  bl f
f: blr
.data
.reloc ., R_PPC_ADDR32, value
.long 0
.globl value
.set value, 0xabcd1234
