// A limit of errors does not hide warnings.
//# link: -static --warn-unresolved-symbols --error-limit=2
//# peers: lld
//# warning: missing_a
//# warning: missing_b
//# warning: missing_c
//# warning: missing_d
//# warning: missing_e
.include "machine.inc"
.globl _start
_start:
  calls missing_a
  calls missing_b
  calls missing_c
  calls missing_d
  calls missing_e
