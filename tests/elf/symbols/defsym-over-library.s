// The visibility that a symbol has in a library says nothing of an assigned one of the name.
//# shared: libfoo.so d.o -soname=libfoo.so
//# link: -shared main.o libfoo.so --defsym=foo=0x500
//# dynsym: foo value=0x500 vis=DEFAULT section=ABS
//# reloc: R_X86_64_GLOB_DAT symbol=foo
//# peers: ld lld
.globl get
get: mov foo@GOTPCREL(%rip), %rax
ret
.section .note.GNU-stack,"",@progbits
//# file: d.s
.data
.globl foo
.protected foo
.type foo, @object
.size foo, 8
foo: .quad 1
.section .note.GNU-stack,"",@progbits
