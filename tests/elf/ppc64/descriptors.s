# Calls of a function's descriptor go to its code; the TOC's address is in the descriptor, and where
# the loader chooses addresses it is relocated.
//# driver: ld
//# variant: fixed: -e _start
//# variant: pie: -e _start -pie --no-dynamic-linker
//# link:
//# @fixed run: exit=42
//# disasm: * bl .*<.second>
//# @pie reloc: R_PPC64_RELATIVE count=4
//# @pie reloc: R_PPC64_RELATIVE place=section(.opd).address+8 addend=section(.got).address+0x8000
//# peers: ld
.abiversion 1
.section .opd,"aw"
.globl _start, second
.type _start,@function
.type second,@function
_start: .quad .Lfirst, .TOC.@tocbase, 0
second: .quad .Lsecond, .TOC.@tocbase, 0
.text
.Lfirst:
  addis 3,2,value@toc@ha
  lwz 3,value@toc@l(3)
  bl second
  nop
  li 0,1
  sc
.Lsecond:
  addi 3,3,2
  blr
.data
value: .long 40
