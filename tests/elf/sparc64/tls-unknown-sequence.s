# A marked instruction that is none of the psABI's is refused where it would have to change.
//# driver: ld
//# variant: call: call.o
//# variant: addition: addition.o
//# variant: load: load.o
//# link: main.o -e _start
//# @call expect-error: R_SPARC_TLS_GD_CALL.*must be used in call
//# @addition expect-error: R_SPARC_TLS_GD_ADD.*must be used in add
//# @load expect-error: R_SPARC_TLS_IE_LDX.*must be used in a load
//# peers: none
.globl _start
_start: retl
  nop
.section .tdata,"awT"
.globl x
x: .word 2
//# file: call.s
.reloc ., R_SPARC_TLS_GD_CALL, x
ba .
nop
//# file: addition.s
.reloc ., R_SPARC_TLS_GD_ADD, x
sub %l7, %o0, %o0
//# file: load.s
.reloc ., R_SPARC_TLS_IE_LDX, x
ldx [%l7 + 8], %g1
