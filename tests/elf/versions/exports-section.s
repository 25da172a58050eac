// --version-exports-section: what .exports sections list is exported with this version, and
// nothing else.
//# file: a.s
.globl foo, bar
foo: ret
bar: ret
.section .exports,"a"
.asciz "foo"
//# file: b.s
.globl baz
baz: ret
.section .exports,"a"
.asciz "baz"
//# file: c.s
.globl baz
baz: ret
.section .exports,"a"
.asciz "b{z"
//# variant: good: a.o b.o
//# variant: bad: c.o
//# link: -shared --version-exports-section=V1
//# @good dynsym: foo@@V1
//# @good dynsym: baz@@V1
//# @good no-dynsym: bar
//# @good no-section: .exports
//# @good version: V1 kind=def
//# @bad expect-error: \.exports.*b\{z
//# peers:
