// -y goes by the names that files spell: --wrap does not matter.
//# link: --wrap=foo -y foo -y __real_foo main.o foo.o
//# stdout: main\.o: reference to foo$
//# stdout: foo\.o: definition of foo$
//# stdout: foo\.o: reference to __real_foo$
//# no-stdout: foo\.o: reference to foo$
//# peers: lld
.include "machine.inc"
.globl _start
_start: calls foo
.section .note.GNU-stack,"",@progbits
//# file: foo.s
.include "machine.inc"
.globl foo, __wrap_foo
foo: ret
__wrap_foo: calls __real_foo
.section .note.GNU-stack,"",@progbits
