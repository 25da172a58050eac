// Big-endian: data is, instructions are not.
//# compile: -mbig-endian
//# link: -m aarch64linuxb -static --no-relax -Ttext=0x10000 -Tdata=0x20000
//# bytes: 0x20000 = 00 00 00 00 00 01 00 00
//# bytes: 0x20008 = ff fe ff f8
//# bytes: 0x10000 = 80 00 00 90
//# bytes: 0x10004 = 00 20 00 91
//# header: machine=183 type=EXEC
//# peers: ld
.globl _start
_start:
  adrp x0, data + 8
  add x0, x0, #:lo12:data + 8
.data
data: .xword _start
  .word _start - .
.section .note.GNU-stack,"",@progbits
