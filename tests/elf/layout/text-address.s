// -Ttext: what follows code in GNU ld's script follows it in memory too, so that code can reach it, and
// nothing of the program is left elsewhere.
//# variant: boot: -N -Ttext 0x7c00
//# variant: nmagic: -n -Ttext 0x7c00
//# variant: kernel: -Ttext 0xffffffff80000000
//# variant: low: -Ttext=0x7000
//# variant: high: -Ttext=0x600000
//# variant: named: --section-start=.text=0x600000
//# variant: shared-pages: -Ttext=0x600000 -z noseparate-code
//# variant: pie: -Ttext=0x600000 -pie --no-dynamic-linker
//# variant: data: -Ttext=0x600000 -Tdata=0x700000
//# variant: bss: -Ttext=0x600000 -Tbss=0x710000
//# @boot,nmagic lint-except: writable-code asked for
//# peers: ld
//# link: -static
//# section: .rodata address>section(.text).address
//# section: .rodata address<section(.text).address+0x1100
//# section: .data address>section(.rodata).address
//# @boot,nmagic,low section: .data address<0x10000
//# @boot,nmagic segment: LOAD address=0x7c00
//# @boot segment: LOAD count=1
//# @boot,nmagic section: .text address=0x7c00
//# @kernel section: .text address=0xffffffff80000000
//# @kernel no-segment: LOAD address<0xffffffff7ffff000
//# @low section: .text address=0x7000
//# @data section: .data address=0x700000
//# @bss section: .bss address=0x710000
//# @high,named,data,bss,shared-pages run: exit=7
.globl _start
_start:
  mov value(%rip), %edi
  add zero(%rip), %edi
  sub one(%rip), %edi
  mov $60, %eax
  syscall
.data
value: .long 8
.bss
zero: .long 0
.section .rodata
one: .long 1
.section .note.GNU-stack,"",@progbits
