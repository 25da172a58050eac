// --emit-relocs -s keeps the symbols that relocations need.
//# machines: x86-64 aarch64 x32 relocations have addends in their table
//# driver: ld
//# link: --emit-relocs -s
//# section: .rela.text type=RELA info=section(.text).index
//# section: .symtab
//# no-symbol: unneeded
//# peers: ld
.include "machine.inc"
.globl _start
_start: calls f
unneeded: ret
.globl f
f: ret
