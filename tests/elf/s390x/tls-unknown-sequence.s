# A marked instruction that is none of the psABI's is refused where it would have to change.
//# driver: ld
//# variant: call: call.o
//# variant: load: load.o
//# variant: order: order.o
//# link: main.o -e _start
//# @call expect-error: R_390_TLS_GDCALL.*must be used in brasl
//# @load expect-error: R_390_TLS_LOAD.*must be used in lg
//# @order expect-error: R_390_TLS_GDCALL.*must be used in brasl
//# peers: none
.globl _start
_start: br %r14
.section .tdata,"awT"
.globl x
x: .long 2
//# file: call.s
.reloc ., R_390_TLS_GDCALL, x
basr %r14,%r1
basr %r14,%r1
basr %r14,%r1
//# file: load.s
.reloc ., R_390_TLS_LOAD, x
lgf %r1,0(%r2)
//# file: order.s
.reloc ., R_390_TLS_GDCALL, x
brasl %r14,_start
