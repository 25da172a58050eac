// A member is taken for a name that is undefined where the archive stands, whatever an object behind
// it defines.
//# archive: libstrong.a strong.o
//# archive: libweak.a weak-member.o
//# archive: libcommon.a common.o
//# archive: libmiddle.a middle.o
//# shared: libmiddle.so middle.o
//# variant: strong: main.o libstrong.a weak.o
//# variant: asked: -u foo libstrong.a main.o weak.o
//# variant: group: --start-group libstrong.a main.o --end-group weak.o
//# variant: again: libstrong.a main.o libstrong.a weak.o
//# variant: chain: far.o libmiddle.a libstrong.a weak.o
//# variant: group-chain: far.o --start-group libstrong.a libmiddle.a --end-group weak.o
//# variant: library: libmiddle.so libstrong.a main.o weak.o -rpath .
//# variant: common-behind: main.o libstrong.a common.o
//# variant: lib: main.o --start-lib strong.o --end-lib weak.o
//# @lib peers: lld
//# @strong,asked,group,again,chain,group-chain,library,common-behind,lib symbol: foo bind=GLOBAL
//# @strong,asked,group,again,chain,group-chain,library,common-behind,lib symbol: strong
//# variant: weak: main.o libweak.a weak.o
//# variant: overridden: main.o libweak.a strong.o
//# variant: common-wins: main.o libweak.a common.o
//# @weak,overridden,common-wins symbol: member
//# @weak symbol: foo bind=WEAK value=symbol(member).value
//# @overridden symbol: foo bind=GLOBAL value=symbol(strong).value
//# @common-wins symbol: foo bind=GLOBAL section=.bss
//# variant: common: main.o libcommon.a weak.o
//# @common symbol: foo bind=GLOBAL section=.bss
//# variant: known: main.o weak.o libstrong.a
//# variant: before: libstrong.a main.o weak.o
//# @before peers: ld
//# variant: late-chain: far.o libstrong.a libmiddle.a weak.o
//# @late-chain peers: ld
//# @known,before,late-chain symbol: foo bind=WEAK
//# @known,before,late-chain no-symbol: strong
//# variant: assigned: main.o libstrong.a --defsym=foo=0x500
//# @assigned symbol: foo value=0x500
//# @assigned symbol: strong
//# variant: assigned-before: main.o --defsym=foo=0x500 libstrong.a
//# @assigned-before peers: ld
//# @assigned-before no-symbol: strong
//# peers: ld lld
.globl _start
_start: .dc.a foo
.section .note.GNU-stack,"",@progbits
//# file: far.s
.globl _start
_start: .dc.a middle
.section .note.GNU-stack,"",@progbits
//# file: middle.s
.data
.globl middle
middle: .dc.a foo
.section .note.GNU-stack,"",@progbits
//# file: strong.s
.data
.globl foo, strong
foo: strong: .quad 1
.section .note.GNU-stack,"",@progbits
//# file: weak-member.s
.data
.weak foo
.globl member
foo: member: .quad 2
.section .note.GNU-stack,"",@progbits
//# file: weak.s
.data
.weak foo
foo: .quad 3
.section .note.GNU-stack,"",@progbits
//# file: common.s
.comm foo, 8
.section .note.GNU-stack,"",@progbits
