// Three places of an undefined symbol are shown, and how many more there are.
//# variant: three: -static | -Wa,--defsym,calls=3
//# variant: four: -static | -Wa,--defsym,calls=4
//# variant: five: -static | -Wa,--defsym,calls=5
//# expect-error: undefined symbol: nowhere\n>>> referenced by (.*\n)+>>> referenced by (.*\n)+>>> referenced by
//# no-error: (referenced by .*\n(.*\n)*){4}
//# @three no-error: more time
//# @four expect-error: referenced 1 more times?$
//# @five expect-error: referenced 2 more times$
//# peers: lld
.include "machine.inc"
.globl _start
_start:
.rept calls
  calls nowhere
.endr
.section .note.GNU-stack,"",@progbits
