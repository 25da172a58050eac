// Relocations that stay have no addends, and the fields hold the values (--emit-relocs).
//# link: --emit-relocs
//# section: .rel.text type=REL entsize=8
//# reloc: R_386_32 symbol=data place=symbol(_start).value+1
//# word32: symbol(_start).value+1 = symbol(data).value+4
.globl _start, data
_start:
  mov $data + 4, %eax
.data
data: .long 1, 2
.section .note.GNU-stack,"",@progbits
