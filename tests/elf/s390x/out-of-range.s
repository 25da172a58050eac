# A value that its field does not hold is named, and so is an odd distance of a branch.
//# driver: ld
//# variant: byte: --defsym=value=0x100 byte.o
//# variant: displacement: --defsym=value=0x1000 displacement.o
//# variant: long: --defsym=value=0x80000 long.o
//# variant: half: --defsym=value=0x10000 half.o
//# variant: branch: --section-start=.far=0x2000000 branch.o
//# variant: odd: odd.o
//# link: main.o -e _start
//# @byte expect-error: relocation R_390_8 out of range: 256 is not in|R_390_8
//# @displacement expect-error: relocation R_390_12 out of range: 4096 is not in|R_390_12
//# @long expect-error: relocation R_390_20 out of range: 524288 is not in|R_390_20
//# @half expect-error: relocation R_390_16 out of range: 65536 is not in|R_390_16
//# @branch expect-error: relocation R_390_PC16DBL out of range|R_390_PC16DBL
//# @odd expect-error: R_390_PC32DBL.*(multiple|alignment)
//# peers: none
.globl _start
_start: br %r14
//# file: byte.s
.byte value
//# file: displacement.s
la %r1,value
//# file: long.s
.reloc .+2, R_390_20, value
ly %r1,0
//# file: half.s
.short value
//# file: branch.s
j far
.section .far,"ax"
.globl far
far: br %r14
//# file: odd.s
larl %r1,odd
.data
.balign 2
.byte 1
.globl odd
odd: .byte 2
