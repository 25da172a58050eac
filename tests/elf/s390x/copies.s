# Variables of a library are copied into a program whose code takes their addresses, and functions have
# one address, also where the code asks for an entry of the PLT.
//# driver: ld
//# variant: fixed:
//# variant: pie: -pie
//# shared: libother.so other.o
//# link: main.o -L. -lother -e _start
//# reloc: R_390_COPY symbol=words
//# dynsym: f value!=0 section=UND
//# peers: ld
.globl _start
_start:
  larl %r1,words
  larl %r2,f@PLT
  brasl %r14,f@PLT
  br %r14
//# file: other.s
.globl words, f
.type words, @object
.size words, 16
.type f, @function
f: br %r14
.data
.balign 8
words: .quad 1, 2
