# With the small code model what is farther than 32 KiB from the TOC's address is an error.
//# driver: ld
//# link: -e _start
//# expect-error: R_PPC64_TOC16_DS.*out of range
//# peers: none
.abiversion 2
.globl _start
_start:
  ld 3,last@toc(2)
  blr
.section .toc,"aw"
.zero 0x10000
last: .quad 1
