// R_X86_64_GNU_VTINHERIT and R_X86_64_GNU_VTENTRY mark C++ vtables for collection. They write nothing,
// and are no references: the parent may be undefined.
//# variant: plain: -static
//# variant: collected: -static --gc-sections
//# peers: ld
//# word64: symbol(child).value = 0x1122334455667788
//# word32: symbol(_start).value = 0x55667788
.globl _start
_start: .long 0x55667788
  .vtable_entry child, 0
  .reloc _start, R_X86_64_NONE, child
.data
.globl child
child: .quad 0x1122334455667788
  .vtable_inherit child, nowhere
.section .note.GNU-stack,"",@progbits
