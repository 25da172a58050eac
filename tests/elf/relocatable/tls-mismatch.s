// A symbol that is thread-local in one object and an ordinary variable in another is an error of -r as
// well, where relocations do not tell. References without a type may mean either.
//# variant: declared: -r defined.o declared.o
//# variant: used: -r plain.o used.o
//# variant: both: -r used.o declared.o
//# variant: untyped: -r defined.o untyped.o
//# @declared expect-error: (?s)v\b.*TLS|TLS.*\bv\b
//# @used expect-error: (?s)v\b.*TLS|TLS.*\bv\b
//# @both expect-error: (?s)v\b.*TLS|TLS.*\bv\b
//# @untyped symbol: v type=TLS
//# @declared,used,both peers: ld
//# @untyped peers: lld
//# file: defined.s
.section .tdata,"awT",@progbits
.globl v
.type v, @object
v: .long 1
//# file: plain.s
.data
.globl v
.type v, @object
v: .long 1
//# file: declared.s
.type v, @object
mov v(%rip), %eax
//# file: used.s
mov v@gottpoff(%rip), %rax
//# file: untyped.s
.globl v
