// Functions far apart: the search table's offsets are 32 bits.
//# link: -static --eh-frame-hdr -Ttext=0x500000 --section-start=.far=0x60000000
//# section: .eh_frame_hdr size=28
.globl _start
_start:
  .cfi_startproc
  ret
  .cfi_endproc
.section .far,"ax",@progbits
far:
  .cfi_startproc
  ret
  .cfi_endproc
.section .note.GNU-stack,"",@progbits
