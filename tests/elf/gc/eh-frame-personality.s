// A personality routine that only live functions name is kept; that of dead ones is not.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start
//# peers: ld
//# link: -static --gc-sections --eh-frame-hdr
//# symbol: live_personality
//# no-symbol: dead_personality
.section .text._start,"ax",@progbits
.globl _start
_start:
  .cfi_startproc
  .cfi_personality 0x1b, live_personality
  ret
  .cfi_endproc
.section .text.dead,"ax",@progbits
dead:
  .cfi_startproc
  .cfi_personality 0x1b, dead_personality
  ret
  .cfi_endproc
.section .text.live_personality,"ax",@progbits
.globl live_personality
live_personality: ret
.section .text.dead_personality,"ax",@progbits
.globl dead_personality
dead_personality: ret
.section .note.GNU-stack,"",@progbits
