# The old PLT is not made.
//# driver: ld
//# link: -e _start --bss-plt
//# expect-error: --bss-plt
//# peers: none
.globl _start
_start:
  blr
