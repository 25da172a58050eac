// -y goes by the names that files spell: --wrap does not matter.
//# link: --wrap=foo -y foo -y __real_foo main.o foo.o
//# stdout: main\.o: reference to foo$
//# stdout: foo\.o: definition of foo$
//# stdout: foo\.o: reference to __real_foo$
//# no-stdout: foo\.o: reference to foo$
//# peers: lld
.globl _start
_start: call foo
.section .note.GNU-stack,"",@progbits
//# file: foo.s
.globl foo, __wrap_foo
foo: ret
__wrap_foo: call __real_foo
.section .note.GNU-stack,"",@progbits
