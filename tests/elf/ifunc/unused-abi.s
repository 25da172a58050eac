// EI_OSABI says that the symbol table has an IFUNC, whether anything refers to it or not.
//# variant: listed: -static
//# variant: stripped: -static -s
//# variant: collected: -static --gc-sections
//# variant: local: -static | -Wa,--defsym,LOCAL=1
//# @listed,local header: osabi=3
//# @stripped,collected header: osabi=0
//# peers: ld
.globl _start
_start: ret
.section .text.resolver,"ax",@progbits
.ifndef LOCAL
.globl resolver
.endif
.type resolver,@gnu_indirect_function
resolver: ret
.section .note.GNU-stack,"",@progbits
