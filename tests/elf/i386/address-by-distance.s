# A distance that is no branch takes the address of a function: that of its PLT entry. In data it is one
# even behind the byte of a call.
//# driver: ld
//# shared: libx.so lib.o
//# variant: code: code.o libx.so
//# variant: data: data.o libx.so
//# link: -e start
//# @code peers: lld
//# @data peers: ld
//# dynsym: f section=UND value>=0x1000
//# file: code.s
.globl start
start: mov $f - ., %eax
 ret
.section .note.GNU-stack,"",@progbits
//# file: data.s
.globl start
start: ret
.data
.byte 0xe8
.long f - .
.section .note.GNU-stack,"",@progbits
//# file: lib.s
.globl f
.type f, @function
f: ret
.size f, . - f
.section .note.GNU-stack,"",@progbits
