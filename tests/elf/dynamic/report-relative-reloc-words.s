// -z report-relative-reloc lists words of the GOT, IFUNCs and packed relocations as well.
//# link: -pie -z report-relative-reloc
//# variant: plain:
//# variant: packed: -z pack-relative-relocs
//# says: R_X86_64_RELATIVE .* against 'in_got' 
//# says: R_X86_64_RELATIVE .* against 'in_data' for section '\.data' in .*main\.o
//# says: R_X86_64_RELATIVE .* against '\.rodata' for section '\.data' in .*main\.o
//# says: R_X86_64_IRELATIVE \(offset: 0x[0-9a-f]+, info: 0x25, addend: 0x[0-9a-f]+\) against 'chosen' for section '\.data' in .*main\.o
//# says: R_X86_64_IRELATIVE .* against 'called' 
//# peers: ld
.globl _start, in_got, in_data, chosen, called
.hidden in_got, in_data, chosen, called
_start:
  cmpq $0, in_got@GOTPCREL(%rip)
  call called
.type chosen, @gnu_indirect_function
chosen: ret
.type called, @gnu_indirect_function
called: ret
.section .rodata
  .quad 0
.data
in_got:
in_data:
  .quad in_data, .rodata, chosen
.section .note.GNU-stack,"",@progbits
