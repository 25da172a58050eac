// A boot stub far below the kernel: distances in .eh_frame_hdr wrap around, and the functions are in
// the order of their addresses.
//# link: --eh-frame-hdr --section-start=.boot=0x1000 -Ttext=0xc0100000 --section-start=.eh_frame=0xc0200000
//# link: --section-start=.eh_frame_hdr=0xc0300000
//# word32: section(.eh_frame_hdr).address+12 = 0x3fd01000
//# word32: section(.eh_frame_hdr).address+20 = 0xffe00000
.globl _start
_start:
.cfi_startproc
  ret
.cfi_endproc
.section .boot,"ax"
boot:
.cfi_startproc
  ret
.cfi_endproc
.section .note.GNU-stack,"",@progbits
