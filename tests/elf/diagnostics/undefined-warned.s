// A limit of errors does not hide warnings.
//# link: -static --warn-unresolved-symbols --error-limit=2
//# peers: lld
//# warning: missing_a
//# warning: missing_b
//# warning: missing_c
//# warning: missing_d
//# warning: missing_e
.globl _start
_start:
  call missing_a
  call missing_b
  call missing_c
  call missing_d
  call missing_e
