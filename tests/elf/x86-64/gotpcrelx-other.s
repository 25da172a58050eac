// R_X86_64_GOTPCRELX of an instruction that has no other form (inc, an addend for the high half)
// keeps its GOT entry (GNU ld 2.40 takes inc for call).
//# link: -static
//# peers: lld
//# bytes: symbol(_start).value = ff 05
//# word32: symbol(_start).value+2 = section(.got).address-symbol(_start).value-6
//# word32: symbol(high).value+2 = section(.got).address-symbol(high).value-2
.globl _start, foo
_start:
  .byte 0xff, 0x05, 0, 0, 0, 0 # inc foo@GOTPCREL(%rip)
  .reloc . - 4, R_X86_64_GOTPCRELX, foo - 4
high: mov foo@GOTPCREL+4(%rip), %eax
foo: ret
.section .note.GNU-stack,"",@progbits
