// R_X86_64_PC32 reaches 2 GiB and not further: only branches have thunks.
//# link: -static -Ttext=0x10000 --section-start=.far=0x100000000
//# expect-error: R_X86_64_(PC32|PLT32)
.globl _start
_start: lea target(%rip), %rax
.section .far,"ax",@progbits
.globl target
target: ret
.section .note.GNU-stack,"",@progbits
