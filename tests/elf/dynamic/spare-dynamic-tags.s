// --spare-dynamic-tags leaves room at the end of .dynamic.
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
