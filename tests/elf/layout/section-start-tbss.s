// An option may place .tbss where it is not aligned: that is its address, and that of what follows.
// Its variables are aligned all the same. Other sections are no different.
//# @data machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k other assemblers round up sizes of sections
//# variant: tbss: --section-start=.tbss=0x708010
//# variant: data: --section-start=.data=0x708010
//# link: -static
//# run: exit=0
//# @tbss section: .tbss address=0x708010 size=0x1ff0
//# @tbss section: .init_array address=0x708010
//# @tbss segment: LOAD address=0x708010
//# @tbss segment: TLS address=0x708010 align=4096
//# @data section: .data address=0x708010 size=0xff8
//# @data symbol: value value=0x709000
//# lint-except: section-align an option says so
//# peers: ld
.include "machine.inc"
.globl _start
_start:
  exit 0
.section .tbss,"awT",@nobits
.balign 4096
variable: .zero 4096
.section .init_array,"aw"
.dc.a _start
.data
.balign 4096
value: .quad 7
.section .note.GNU-stack,"",@progbits
