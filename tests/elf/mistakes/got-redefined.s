// An object's own _GLOBAL_OFFSET_TABLE_ would be another than the one that code finds.
//# expect-error: own\.o cannot redefine linker defined symbol '_GLOBAL_OFFSET_TABLE_'
//# peers: lld
.globl _start
_start: leaq _GLOBAL_OFFSET_TABLE_(%rip), %rax
.section .note.GNU-stack,"",@progbits
//# file: own.s
.data
.globl _GLOBAL_OFFSET_TABLE_
_GLOBAL_OFFSET_TABLE_: .quad 5
.section .note.GNU-stack,"",@progbits
