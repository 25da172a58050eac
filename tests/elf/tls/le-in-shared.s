// A local-exec access in a library is an error.
//# link: -shared
//# expect-error: R_X86_64_TPOFF32
f: mov %fs:value@tpoff, %eax
.section .tbss,"awT",@nobits
.globl value
value: .long 0
.section .note.GNU-stack,"",@progbits
