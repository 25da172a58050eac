// -N: text may be written and pages are of no concern; -n: pages are of no concern.
//# lint-except: writable-code asked for
//# variant: omagic: -N
//# variant: nmagic: -n
//# @nmagic peers: ld
//# link: -static
//# @omagic segment: LOAD flags=RWX
//# run: exit=6
//# no-segment: GNU_RELRO
//# no-segment: LOAD align>=4096
.globl _start
_start:
  mov value(%rip), %edi
  mov $60, %eax
  syscall
.data
value: .long 6
.section .note.GNU-stack,"",@progbits
