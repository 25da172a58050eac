// No byte of a profile can crash the linker.
//# requires: llvm-profdata-19
//# sh: llvm-profdata-19 merge profile.txt -o profile
//# link: main.o -static --irpgo-profile=profile --bp-startup-sort=function
//# corrupt: overwrite profile 5 ff
//# corrupt: truncate profile 41
//# peers:
.globl _start
_start: ret
//# file: profile.txt
:ir
:temporal_prof_traces
1
1
1
_start

_start
1
1
1

