// A call through R_X86_64_PLT32 to a symbol of the same program is direct.
//# variant: static: -static
//# variant: pie: -static -pie --no-dynamic-linker
//# word32: symbol(_start).value+1 = symbol(target).value-symbol(_start).value-5
//# no-section: .plt
.globl _start, target
_start: call target@PLT
.section .text.b,"ax",@progbits
target: ret
.section .note.GNU-stack,"",@progbits
