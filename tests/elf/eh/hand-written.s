// CFI directives of hand-written code, some of it in sections of its own.
//# link: -static --eh-frame-hdr
//# check: test $(readelf --debug-dump=frames $OUT | grep -c ' FDE ') = 2
.globl _start
_start:
  .cfi_startproc
  push %rbx
  .cfi_adjust_cfa_offset 8
  pop %rbx
  ret
  .cfi_endproc
.section .text.b,"ax",@progbits
b:
  .cfi_startproc
  .cfi_signal_frame
  ret
  .cfi_endproc
.section .note.GNU-stack,"",@progbits
