// --bp-startup-sort=function puts what a profile saw start first, the earliest first; the symbol
// ordering file goes before it. Static functions are found by name.
//# requires: llvm-profdata-19
//# sh: llvm-profdata-19 merge profile.txt -o profile
//# variant: plain: --irpgo-profile=profile --bp-startup-sort=function
//# variant: listed: --irpgo-profile=profile --bp-startup-sort=function --symbol-ordering-file=list
//# variant: none: --irpgo-profile=profile --bp-startup-sort=function --bp-startup-sort=none
//# link: -static
//# @plain,listed symbol: d value<symbol(local).value
//# @plain,listed symbol: d value<symbol(b).value
//# @plain,listed symbol: local value<symbol(a).value
//# @plain,listed symbol: b value<symbol(a).value
//# @plain symbol: a value<symbol(c).value
//# @listed symbol: c value<symbol(d).value
//# @none symbol: a value<symbol(b).value
//# @none symbol: c value<symbol(d).value
//# peers: lld
.macro function name
.section .text.\name,"ax"
.type \name, @function
\name: ret
.size \name, 1
.endm
.globl _start, a, b, c, d
function a
function b
function c
_start: ret
function d
function local.llvm.123
local = local.llvm.123
.section .note.GNU-stack,"",@progbits
//# file: profile.txt
:ir
:temporal_prof_traces
1
1
1
d, x.c;local.llvm.77, b

d
1
1
1

x.c;local.llvm.77
1
1
1

b
1
1
1

//# file: list
c
