// --emit-relocs: a rewritten GOT load has the relocation of the new instruction (mold also writes
// lea here; GNU ld writes mov with R_X86_64_32S).
//# peers: none
//# driver: ld
//# link: --emit-relocs
//# reloc: R_X86_64_PC32 symbol=foo addend=-4 table=.rela.text
//# no-reloc: R_X86_64_REX_GOTPCRELX
.globl _start
_start: movq foo@GOTPCREL(%rip), %rax
.data
.hidden foo
.globl foo
foo: .quad 1
