// Profiles that cannot be used, and options that contradict each other, are errors.
//# variant: missing: --bp-startup-sort=function --irpgo-profile=none
//# variant: other: --bp-startup-sort=function --irpgo-profile=main.o
//# variant: without: --bp-startup-sort=function
//# variant: word: --bp-compression-sort=all
//# variant: calls: --bp-compression-sort=data --call-graph-ordering-file=main.o
//# @missing expect-error: none: No such file or directory
//# @other expect-error: main.o: not an indexed profile of LLVM
//# @without expect-error: --bp-startup-sort=function needs --irpgo-profile
//# @word expect-error: --bp-compression-sort: bad value 'all': expected none, function, data or both
//# @calls expect-error: --bp-compression-sort and --call-graph-ordering-file ask for different orders
//# link: main.o
//# peers:
.globl _start
_start: ret
