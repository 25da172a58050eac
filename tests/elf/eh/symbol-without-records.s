// A symbol in an `.eh_frame` without records is an address in the output's, though nothing else is
// there.
//# variant: program: -static
//# variant: emitted: -static --emit-relocs
//# section: .eh_frame size>=4
//# symbol: begin section=.eh_frame
//# word: symbol(pointer).value = symbol(begin).value
//# run: exit=0
.globl _start
_start:
  movq pointer(%rip), %rax
  movl (%rax), %edi
  mov $60, %eax
  syscall
.data
.globl pointer
pointer: .dc.a begin
.section .eh_frame,"a",@progbits
.globl begin
begin: .long 0
.section .note.GNU-stack,"",@progbits
