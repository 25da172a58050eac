// Branches: R_AARCH64_CALL26, JUMP26, CONDBR19 and TSTBR14, forward and backward.
//# peers: ld
//# link: -static -Ttext=0x10000 --section-start=.near=0x17ffc --section-start=.far=0x10f000
//# bytes: 0x10000 = 00 fc 03 94
//# bytes: 0x10004 = ff fb 03 14
//# bytes: 0x10008 = 80 ff 7f 54
//# bytes: 0x1000c = 60 ff 7f b4
//# bytes: 0x10010 = 60 ff 03 36
//# bytes: 0x10014 = fb ff ff 97
.globl _start
_start:
  bl far
  b far
  b.eq far + 0xff8
  cbz x0, far + 0xff8
  tbz w0, #0, near
  bl _start
.section .near,"ax"
.globl near
near: ret
.section .far,"ax"
.globl far
far: ret
.section .note.GNU-stack,"",@progbits
