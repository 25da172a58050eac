// Symbols of PROVIDE that need each other, in any order, with -r; the ones that nobody needs are not there.
//# driver: ld
//# link: -r chain.txt
//# symbol: b value=8
//# symbol: c value=8
//# symbol: d value=42 section=ABS
//# symbol: e value=42 section=ABS
//# symbol: own section=.data
//# no-symbol: unneeded
//# no-symbol: needed_by_unneeded
//# peers: ld lld
.data
.globl a, own
a: .dc.a b
own: .dc.a d
.section .note.GNU-stack,"",@progbits
//# file: chain.txt
PROVIDE(b = c);
PROVIDE(c = a + 8);
d = e;
PROVIDE(e = 42);
PROVIDE(own = 7);
PROVIDE(unneeded = needed_by_unneeded);
PROVIDE(needed_by_unneeded = 1);
