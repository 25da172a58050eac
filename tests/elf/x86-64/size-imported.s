// R_X86_64_SIZE32 and R_X86_64_SIZE64 of a symbol that another module may define are left to the loader.
//# variant: program: -pie --dynamic-linker=/nothing main.o libx.so
//# variant: shared: -shared main.o
//# shared: libx.so b.o
//# @program reloc: R_X86_64_SIZE64 place=symbol(eight).value symbol=object addend=3 count=1
//# @program reloc: R_X86_64_SIZE32 place=symbol(four).value symbol=object addend=0 count=1
//# @program no-reloc: symbol=own
//# @program word64: symbol(mine).value = 24
//# @shared reloc: R_X86_64_SIZE64 place=symbol(eight).value symbol=object addend=3 count=1
//# @shared reloc: R_X86_64_SIZE64 place=symbol(mine).value symbol=own addend=0 count=1
//# @shared reloc: R_X86_64_SIZE64 place=symbol(weak).value symbol=nothing addend=5 count=1
.globl _start
_start: ret
.weak nothing
.data
eight: .quad object@SIZE + 3
mine: .quad own@SIZE
weak: .quad nothing@SIZE + 5
four: .long object@SIZE
.balign 8
.globl own
.type own, @object
.size own, 24
own: .zero 24
.section .note.GNU-stack,"",@progbits
//# file: b.s
.data
.globl object
.type object, @object
.size object, 40
object: .zero 40
.section .note.GNU-stack,"",@progbits
