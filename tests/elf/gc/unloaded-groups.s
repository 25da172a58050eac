// A group of which no member is loaded is not collected; in any other group members that are not
// loaded live and die with the rest. What is retained, and what is linked to it, stays.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start
//# peers: lld
//# variant: program: -static --gc-sections
//# variant: joined: -r --gc-sections -e _start
//# section: .alone
//# section: .first
//# section: .second
//# section: .with_live
//# no-section: .with_dead
//# section: .retained
//# section: .used_by_retained
//# section: .plain
//# section: .linked
//# @program symbol: ring_end
.include "machine.inc"
.section .first_in_file,"axG",@progbits,ring,comdat
ring_end: ret
.section .text.ring,"axG",@progbits,ring,comdat
ring: ret
.text
.globl _start
_start: calls live
calls ring
.section .alone,"G",@progbits,one,comdat
.quad 1
.section .first,"G",@progbits,two,comdat
.quad 1
.section .second,"G",@progbits,two,comdat
.quad 1
.section .text.live,"axG",@progbits,live,comdat
live: ret
.section .with_live,"G",@progbits,live,comdat
.quad 1
.section .text.dead,"axG",@progbits,dead,comdat
dead: ret
.section .with_dead,"G",@progbits,dead,comdat
.quad 1
.section .retained,"R",@progbits
.dc.a used
.section .used_by_retained,"a",@progbits
used: .quad 1
.section .plain,"",@progbits
.quad 1
.section .linked,"o",@progbits,.plain
.quad 1
.section .note.GNU-stack,"",@progbits
