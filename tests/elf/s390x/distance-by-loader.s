# A distance of 64 bits from data to another module is one that the loader can write; in code one of
# 32 bits asks for -fPIC.
//# driver: ld
//# variant: data: data.o
//# variant: code: code.o
//# link: -shared
//# @data reloc: R_390_PC64 symbol=elsewhere
//# @code expect-error: R_390_PC32DBL.*elsewhere(.|\n)*-fPIC
//# @data peers: ld
//# @code peers: none
.globl own
own: br %r14
//# file: data.s
.data
.balign 8
.quad elsewhere - .
//# file: code.s
larl %r1,elsewhere
