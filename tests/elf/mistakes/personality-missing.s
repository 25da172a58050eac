// The function that finds handlers of exceptions is referred to by frames alone.
//# peers: none
//# link: -static
//# error-text: ld: error: undefined symbol: no_such_personality
//# error-text: >>> referenced by main.o:(.eh_frame+0x12)
.globl _start
_start:
  .cfi_startproc
  .cfi_personality 0x1b, no_such_personality
  nop
  ret
  .cfi_endproc
