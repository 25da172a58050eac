// --error-limit stops the list; 0 is no limit.
//# variant: two: --error-limit=2
//# variant: all: --error-limit=0
//# link: -static
//# peers: lld
//# @two no-error: missing_d
//# @all expect-error: missing_d
//# expect-error: missing_a
.globl _start
_start:
  call missing_a
  call missing_b
  call missing_c
  call missing_d
