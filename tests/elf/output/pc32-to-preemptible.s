// A PC-relative reference to a symbol that another module may define is an error in a library.
//# link: -shared
//# expect-error: (?s)R_X86_64_PC32.*value|value.*R_X86_64_PC32
.globl value
f: mov value(%rip), %eax
.data
.type value, @object
.size value, 4
value: .long 0
.section .note.GNU-stack,"",@progbits
