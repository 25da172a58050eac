// A library's variable is no definition of a name that objects define by a common and a weak symbol.
//# shared: libv.so so.o -soname=libv.so
//# variant: reference: main.o libv.so common.o weak.o
//# @reference symbol: v bind=WEAK section=.data
//# @reference peers: ld
//# variant: weak-first: main.o libv.so weak.o common.o
//# @weak-first symbol: v bind=GLOBAL section=.bss
//# variant: common-first: main.o common.o weak.o libv.so
//# @common-first symbol: v bind=GLOBAL section=.bss
//# @common-first peers: lld
//# variant: plain: main.o libv.so common.o
//# @plain symbol: v section=UND
//# @plain peers: ld
//# link: -pie
//# peers: ld lld
.globl _start
_start: mov v@GOTPCREL(%rip), %rax
.section .note.GNU-stack,"",@progbits
//# file: common.s
.comm v, 4, 4
.section .note.GNU-stack,"",@progbits
//# file: weak.s
.data
.weak v
.type v, @object
.size v, 4
v: .long 6
.section .note.GNU-stack,"",@progbits
//# file: so.s
.data
.globl v
.type v, @object
.size v, 4
v: .long 60
.section .note.GNU-stack,"",@progbits
