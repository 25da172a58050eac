# `-z nodefs` takes `-z defs` back, and no more: a program's undefined symbols stay errors.
//# driver: ld
//# variant: program: main.o -z nodefs
//# @program expect-error: nosuch
//# variant: library: main.o -shared -z defs -z nodefs
//# @library no-warning: .
//# @library peers: none
//# peers: ld lld
.globl _start
_start: jmp nosuch@plt
.section .note.GNU-stack,"",@progbits
