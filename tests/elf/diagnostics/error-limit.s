// --error-limit stops the list; 0 is no limit.
//# variant: two: --error-limit=2
//# variant: all: --error-limit=0
//# link: -static
//# peers: lld
//# @two no-error: missing_d
//# @all expect-error: missing_d
//# expect-error: missing_a
.include "machine.inc"
.globl _start
_start:
  calls missing_a
  calls missing_b
  calls missing_c
  calls missing_d
