# --just-symbols takes hidden symbols of a program too (GNU ld leaves them global in its symbol table),
# and IFUNCs; of what a loader moves, a warning tells that the addresses are not known.
//# driver: ld
//# sh: ld.bfd rom.o -static -Ttext=0x700000 -e foo -o rom && ld.bfd -shared rom.o -o moved
//# archive: unused.a rom.o
//# variant: program: main.o --just-symbols=rom
//# @program symbol: bar value=symbol(foo).value+1
//# @program no-warning: .
//# @program peers: ld lld
//# variant: pie: main.o --just-symbols=rom -pie --defsym=foo=1
//# @pie expect-error: bar
//# @pie peers: lld
//# variant: moved: main.o --just-symbols=moved --defsym=foo=1
//# @moved warning: moved: --just-symbols of a shared object
//# @moved peers: none
.include "machine.inc"
.globl _start
_start:
calls foo
calls bar
.section .note.GNU-stack,"",@progbits
//# file: rom.s
.globl foo, bar
.hidden foo
foo: nop
.type bar, @gnu_indirect_function
bar: nop
.section .note.GNU-stack,"",@progbits
