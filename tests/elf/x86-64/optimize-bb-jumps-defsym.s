// A jump goes that leads to the next section through a name that --defsym gives it, and so does one
// whose distance is an R_X86_64_PC32.
//# link: --optimize-bb-jumps --defsym=alias=next --defsym=next=second
//# symbol: first size=5
//# disasm: second jne [0-9a-f]+ <failed>
//# no-disasm: second jmp
//# run: exit=42
//# peers: lld
.section .text.a,"ax"
.globl _start, first, second, third, failed
_start:
first: movl $40, %edi
jmp alias
.type first, @function
.size first, .-first
.section .text.b,"ax"
second: testl %eax, %eax
.byte 0x0f, 0x84
.long third - . - 4
.byte 0xe9
.long failed - . - 4
.type second, @function
.size second, .-second
.section .text.c,"ax"
third: addl $2, %edi
movl $60, %eax
syscall
.section .text.d,"ax"
failed: movl $1, %edi
movl $60, %eax
syscall
.section .note.GNU-stack,"",@progbits
