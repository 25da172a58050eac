// --emit-relocs -s keeps the symbols that relocations need.
//# driver: ld
//# link: --emit-relocs -s
//# section: .rela.text type=RELA info=section(.text).index
//# section: .symtab
//# no-symbol: unneeded
//# peers: ld
.globl _start
_start: call f
unneeded: ret
.globl f
f: ret
