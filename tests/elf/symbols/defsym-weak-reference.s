// What --defsym defines is global however it is referred to, and no archive member is taken for it.
//# archive: libfoo.a foo.o
//# variant: shared: -shared main.o --defsym=foo=5 libfoo.a
//# @shared dynsym: foo bind=GLOBAL value=5 section=ABS
//# variant: wrapped: -shared main.o --wrap=foo --defsym=__wrap_foo=6 libfoo.a
//# @wrapped dynsym: __wrap_foo bind=GLOBAL value=6
//# variant: strong: strong.o --defsym=foo=_start libfoo.a
//# @strong symbol: foo value=symbol(_start).value
//# variant: asked: -u foo --defsym=foo=7 main.o libfoo.a
//# @asked symbol: foo value=7
//# no-symbol: mark
//# peers: ld
.globl _start
.weak foo
_start: movq foo@GOTPCREL(%rip), %rax
.section .note.GNU-stack,"",@progbits
//# file: strong.s
.globl _start
_start: call foo
.section .note.GNU-stack,"",@progbits
//# file: foo.s
.globl foo, mark
foo: ret
mark:
.section .note.GNU-stack,"",@progbits
