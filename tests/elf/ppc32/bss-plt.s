# Code for the BSS PLT calls the GOT to find it, which is no code here.
//# driver: ld
//# link: -e _start
//# expect-error: is that of a call of symbol '_GLOBAL_OFFSET_TABLE_', as in code for the BSS PLT; recompile with -msecure-plt
//# peers: none
.globl _start
_start:
  bl _GLOBAL_OFFSET_TABLE_@local-4
  mflr 30
  blr
