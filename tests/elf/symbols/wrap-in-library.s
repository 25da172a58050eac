// A library that has the wrapper may refer to __real_NAME: that is NAME.
//# shared: libwrap.so wrapper.o -soname=libwrap.so
//# variant: here: --wrap=foo own.o libwrap.so
//# variant: behind: --wrap=foo main.o libwrap.so foo.o
//# @behind dynsym: __wrap_foo section=UND
//# variant: unwrapped: own.o libwrap.so
//# @unwrapped expect-error: __real_foo
//# peers: ld lld
.include "machine.inc"
.globl _start
_start: calls foo
.section .note.GNU-stack,"",@progbits
//# file: own.s
.include "machine.inc"
.globl _start, foo
_start: calls foo
.type foo, @function
foo: ret
.section .note.GNU-stack,"",@progbits
//# file: foo.s
.globl foo
.type foo, @function
foo: ret
.section .note.GNU-stack,"",@progbits
//# file: wrapper.s
.include "machine.inc"
.globl __wrap_foo
.type __wrap_foo, @function
__wrap_foo: calls __real_foo
ret
.section .note.GNU-stack,"",@progbits
