// A section that an option places where the headers would be moves the image behind it, and the headers
// before it: what starts programs looks for them in the lowest segment. An image with a given address
// stays, and that is an error.
//# machines: x86-64 the image begins at 0x400000
//# variant: first: --section-start=.apart=0x400000
//# variant: inside: --section-start=.apart=0x400010
//# variant: below: --section-start=.apart=0x3ffff0
//# variant: lowest: --section-start=.apart=0x300000
//# variant: given: --image-base=0x400000 --section-start=.apart=0x400010
//# link: -static
//# @first,inside,below,lowest run: exit=7
//# @first section: .apart address=0x400000
//# @inside section: .apart address=0x400010
//# @below section: .apart address=0x3ffff0
//# @lowest section: .apart address=0x300000
//# @lowest segment: LOAD offset=0 address=0x2ff000
//# @lowest section: .text address=0x400000
//# @given expect-error: section .apart overlaps with the program headers
//# peers: ld
.globl _start
_start:
  mov status, %edi
  call apart
  mov $60, %eax
  syscall
.data
status: .long 8
.section .apart,"ax"
apart:
  dec %edi
  ret
  .space 100
.section .note.GNU-stack,"",@progbits
