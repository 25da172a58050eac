// --spare-dynamic-tags leaves room at the end of .dynamic.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 .dynamic has less than eleven entries
//# @seven machines: x86-64 aarch64 words have eight bytes
//# variant: default:
//# variant: seven: --spare-dynamic-tags=7
//# variant: wrong: --spare-dynamic-tags=x
//# link: -shared
//# @default section: .dynamic size<176
//# @seven section: .dynamic size>=224
//# @seven word64: section(.dynamic).end-128 = 0
//# @wrong expect-error: spare-dynamic-tags: bad value 'x'
//# peers:
.globl f
f: ret
