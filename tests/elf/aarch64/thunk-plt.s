// Calls of imported functions from afar lead through a thunk to the PLT entry.
//# sh: printf '.globl f\n.type f,%%function\nf: ret\n' > f.s && as f.s -o f.o && $LD -shared f.o -o libf.so
//# link: -pie main.o libf.so --section-start=.far=0x10000000
//# symbol: __f_veneer section=.far size=12 count=1
//# disasm: caller bl .*<__f_veneer>
//# reloc: R_AARCH64_JUMP_SLOT symbol=f
//# peers:
.globl _start
_start:
  bl caller
  bl f
.section .far, "ax"
.globl caller
.type caller, %function
caller:
  bl f
  ret
.size caller, . - caller
.section .note.GNU-stack, "", @progbits
