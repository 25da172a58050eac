// A SHF_LINK_ORDER section lives and dies with the section it is linked to.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start
//# link: -static --gc-sections
//# symbol: kept_meta
//# no-symbol: dropped_meta
//# peers: lld
.section .text._start,"ax",@progbits
.globl _start
_start: ret
.section .text.dropped,"ax",@progbits
dropped: ret
.section meta,"ao",@progbits,.text._start
kept_meta: .quad 1
.section meta,"ao",@progbits,.text.dropped
dropped_meta: .quad 2
.section .note.GNU-stack,"",@progbits
