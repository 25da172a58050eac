// What --unique keeps apart by its name stays what the name says: the exception table of an object may refer to
// code that another file's group replaces. lld refuses it.
//# peers: ld
//# link: main.o b.o -static
//# variant: plain
//# variant: unique: --unique=.gcc_except_table*
//# section: .gcc_except_table
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
        .section .gcc_except_table,"a",@progbits
        .quad .Lpad
        .section .note.GNU-stack,"",@progbits
