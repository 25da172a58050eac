// A call of an IFUNC goes through a PLT entry with an IRELATIVE slot.
//# variant: static: -static
//# variant: pie: -static -pie --no-dynamic-linker
//# reloc: R_X86_64_IRELATIVE count=1 addend=symbol(f).value
//# disasm: _start call [0-9a-f]+
.globl _start, f
.type f, @gnu_indirect_function
f: ret
.type _start, @function
_start: call f@PLT
.size _start, . - _start
.section .note.GNU-stack,"",@progbits
