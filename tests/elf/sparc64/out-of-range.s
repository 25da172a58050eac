# A value that its field does not hold is named, and so is a branch between instructions.
//# driver: ld
//# compile: -fno-pic
//# variant: byte: --defsym=value=0x100 byte.o
//# variant: immediate: --defsym=value=0x2000 immediate.o
//# variant: upper: --defsym=value=0x123456789 upper.o
//# variant: branch: --section-start=.far=0xa01000 branch.o
//# variant: odd: --defsym=value=0x100002 odd.o
//# link: main.o -e _start
//# @byte expect-error: relocation R_SPARC_8 out of range: 256 is not in
//# @immediate expect-error: relocation R_SPARC_13 out of range: 8192 is not in
//# @upper expect-error: relocation R_SPARC_HI22 out of range
//# @branch expect-error: relocation R_SPARC_WDISP22 out of range
//# @odd expect-error: R_SPARC_WDISP30.*(multiple|alignment)
//# peers: none
.globl _start
_start: retl
  nop
//# file: byte.s
.byte value
//# file: immediate.s
add %g1, value, %g1
//# file: upper.s
sethi %hi(value), %g1
//# file: branch.s
ba far
nop
.section .far,"ax"
.globl far
far: nop
//# file: odd.s
call value
nop
