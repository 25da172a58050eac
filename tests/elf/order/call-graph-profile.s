// Sections that call each other stand side by side, by the counts that compilers leave in
// .llvm.call-graph-profile; the order is lld's.
//# cc: clang-19
//# driver: ld
//# variant: default: -static
//# variant: cdsort: -static --call-graph-profile-sort=cdsort
//# variant: hfsort: -static --call-graph-profile-sort=hfsort
//# variant: none: -static --call-graph-profile-sort=none
//# variant: no: -static --no-call-graph-profile-sort
//# check: nm -n $OUT | awk '/ [tT] / {print $3}' | tr '\n' ' ' >found
//# @default,cdsort file-matches: found ^TS A B C D E _start\b
//# @hfsort file-matches: found ^_start TS A B C D E\b
//# @none,no file-matches: found ^A B C D E TS _start\b
//# no-section: .llvm.call-graph-profile
//# peers: lld
.macro function name, size
.section .text.\name,"ax",@progbits
.globl \name
\name: .zero \size
.endm
function A 10
function B 20
function C 30
function D 40
function E 50
.section .text.TS,"ax"
TS: .zero 5
.section .text._start,"ax"
.globl _start
_start: ret
.cg_profile A, B, 100
.cg_profile A, C, 40
.cg_profile B, C, 30
.cg_profile C, D, 90
.cg_profile D, E, 10
.cg_profile TS, A, 15
.cg_profile _start, TS, 0
.cg_profile _start, _start, 40
