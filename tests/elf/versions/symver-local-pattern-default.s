// A local: pattern hides a default version too, as with GNU ld; lld exports it.
//# link: -shared main.o --version-script=v.map
//# no-dynsym: foo
//# dynsym: bar@@V1
//# peers: ld
.globl a, bar
.type a, @function
.type bar, @function
.symver a, foo@@V1
a: ret
bar: ret
.section .note.GNU-stack,"",@progbits
//# file: v.map
V1 { global: bar; local: foo*; a; };
