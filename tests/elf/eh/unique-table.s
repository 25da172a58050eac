# What --unique keeps apart by its name stays what the name says: an exception table may refer to code that another
# file's group replaces, as its function's frame goes with that code: lld's rule, which has no --unique. GNU ld refuses it.
//# peers: none
//# link: main.o b.o -static
//# variant: plain
//# variant: unique: --unique=.gcc_except_table*
//# @plain section: .gcc_except_table
//# @unique section: .gcc_except_table.f
        .globl _start
        .text
_start: mov $231, %eax
        xor %edi, %edi
        syscall
        .section .text.f,"axG",@progbits,f,comdat
        .globl f
f:      ret
        .section .note.GNU-stack,"",@progbits
//# file: b.s
        .section .text.f,"axG",@progbits,f,comdat
        .globl f
f:      nop
.Lpad:  ret
        .section .gcc_except_table.f,"a",@progbits
        .quad .Lpad
        .section .note.GNU-stack,"",@progbits
