// A sequence that looks like one of an erratum is none if a word of it is data.
//# variant: multiply: --fix-cortex-a53-835769
//# variant: page: --fix-cortex-a53-843419=adrp
//# link: -static --section-start=.text=0x410ff0
//# word32: symbol(looks_multiplied).value = 0x9b031041
//# word32: symbol(looks_loaded).value = 0xf9400403
//# no-symbol: __erratum_835769_veneer_0
//# no-symbol: __erratum_843419_veneer_0
//# peers:
.globl _start, looks_multiplied, looks_loaded
_start:
  nop
  nop
  adrp x0, variable
  str x2, [x1]
  brk #1
looks_loaded:
  .word 0xf9400403
  str x1, [x2]
looks_multiplied:
  .word 0x9b031041
.data
variable: .quad 0
.section .note.GNU-stack, "", @progbits
