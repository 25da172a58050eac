# The words of .toc belong to all functions of an object: one with an address in a group that
# another object's copy replaces is no error.
//# driver: ld
//# link: -e _start main.o other.o
//# run: exit=7
//# peers: ld lld
.abiversion 2
.globl _start
.text
_start:
  li 3, 7
  li 0, 1
  sc
  .section .text.group,"axG",@progbits,group,comdat
  .weak group
group: blr
//# file: other.s
  .abiversion 2
  .section .text.group,"axG",@progbits,group,comdat
  .weak group
group:
  ld 3, .Lword@toc(2)
  blr
  .section .rodata.group,"aG",@progbits,group,comdat
.Lhere: .quad 1
  .section .toc,"aw"
.Lword: .quad .Lhere
