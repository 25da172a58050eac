// Words of 32 bits are the loader's own in x32; it adds the base address to 64 bits by another type.
//# link: -shared
//# header: machine=62
//# reloc: R_X86_64_RELATIVE place=section(.data).address
//# reloc: R_X86_64_RELATIVE64 place=section(.data).address+8
//# reloc: R_X86_64_32 symbol=outer
//# reloc: R_X86_64_64 symbol=outer
//# reloc: R_X86_64_GLOB_DAT symbol=outer
//# section: .got align>=4 size=8
//# section: .rela.dyn entsize=12
.globl f
f: movl outer@GOTPCREL(%rip), %eax
  ret
.data
.long f0, outer
.quad f0, outer
.section .text
f0: ret
.section .note.GNU-stack,"",@progbits
