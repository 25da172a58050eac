// A library that is taken only when needed is needed for the value of a common symbol before it.
//# link: -pie
//# shared: libv.so v.o -soname=libv.so
//# variant: before: main.o --as-needed libv.so
//# @before dynamic: NEEDED value=libv.so
//# @before dynsym: value section=UND
//# variant: behind: --as-needed libv.so main.o
//# @behind no-dynamic: NEEDED
//# @behind symbol: value section=.bss
//# peers: ld
.globl _start
_start: movq value@GOTPCREL(%rip), %rax
.comm value, 4, 4
.section .note.GNU-stack,"",@progbits
//# file: v.s
.data
.globl value
.type value, @object
.size value, 4
value: .long 7
.section .note.GNU-stack,"",@progbits
