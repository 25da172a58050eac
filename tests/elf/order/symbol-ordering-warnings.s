// Listed symbols that cannot be ordered are warned of, each with its file, unless
// --no-warn-symbol-ordering is given.
//# variant: on: --no-warn-symbol-ordering --warn-symbol-ordering
//# variant: off: --no-warn-symbol-ordering
//# variant: ignore: --unresolved-symbols=ignore-all
//# shared: libx.so x.o
//# link: main.o other.o libx.so --gc-sections --warn-unresolved-symbols --symbol-ordering-file=list
//# @on,ignore warning: list: duplicate ordered symbol: _start
//# @on,ignore warning: symbol ordering file: no such symbol: missing$
//# @on,ignore warning: main.o: unable to order absolute symbol: absolute$
//# @on,ignore warning: main.o: unable to order discarded symbol: dead$
//# @on,ignore warning: libx.so: unable to order shared symbol: x$
//# @on,ignore warning: other.o: unable to order discarded symbol: in_group$
//# @on warning: main.o: unable to order undefined symbol: nowhere$
//# @ignore no-warning: unable to order undefined
//# @off no-warning: order
//# peers: lld
.globl _start, absolute, dead
absolute = 5
.section .text.dead,"ax"
dead: ret
.section .text.group,"axG",@progbits,group,comdat
.weak group
group: ret
.text
_start:
call x
call group
.weak nowhere
mov nowhere, %eax
.section .note.GNU-stack,"",@progbits
//# file: other.s
.section .text.group,"axG",@progbits,group,comdat
.weak group
group: ret
in_group: ret
.section .note.GNU-stack,"",@progbits
//# file: x.s
.globl x
x: ret
.section .note.GNU-stack,"",@progbits
//# file: list
_start
missing
absolute
dead
x
in_group
nowhere
_start
