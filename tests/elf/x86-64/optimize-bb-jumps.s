// A last jump to the next section goes; of a condition that leads there and a jump, the condition is
// inverted. Symbols end where the code does, padding is run through, and what is jumped to stays.
//# driver: ld
//# peers: none
//# link: --optimize-bb-jumps
//# variant: on:
//# @on symbol: first size=5
//# @on symbol: second size=8
//# @on symbol: second_end value=symbol(second).value+8
//# @on disasm: second jne [0-9a-f]+ <failed>
//# @on no-disasm: second jmp
//# @on disasm: entered jne [0-9a-f]+ <failed>
//# @on disasm: entered jmp [0-9a-f]+ <finish>
//# variant: emit: --emit-relocs
//# @emit reloc: R_X86_64_PLT32 place=symbol(second).value+4 symbol=failed
//# @emit no-reloc: R_X86_64_PLT32 symbol=second
//# variant: off: --no-optimize-bb-jumps
//# @off symbol: first size=10
//# @off disasm: second je [0-9a-f]+ <third>
//# variant: shared: -shared
//# @shared symbol: first size=10
//# variant: overridden: --defsym=second=failed
//# @overridden symbol: first size=10
//# @on,emit,off run: exit=42
//# @overridden run: exit=1
.section .text.a,"ax"
.globl _start, first, second, third, failed
_start:
first: movl $40, %edi
jmp second
.type first, @function
.size first, .-first
.section .text.b,"ax"
second: testl %edi, %eax
je third
jmp failed
second_end:
.type second, @function
.size second, .-second
.section .text.c,"ax"
.balign 64
third: addl $2, %edi
entered: cmpl $42, %edi
jmp 2f
jne failed
2: jmp finish
.section .text.d,"ax"
failed: movl $1, %edi
jmp finish
.section .text.e,"ax"
nop
finish: movl $60, %eax
syscall
