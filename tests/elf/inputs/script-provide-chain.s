// A symbol of PROVIDE may need another, before or behind it; the ones that nobody needs are not there.
//# variant: behind: main.o behind.txt -static
//# variant: before: main.o before.txt -static
//# variant: pie: main.o behind.txt -pie --no-dynamic-linker
//# symbol: x value=9 section=ABS
//# symbol: y value=8 section=ABS
//# symbol: z value=7 section=ABS
//# no-symbol: unneeded
//# no-symbol: needed_by_unneeded
//# word: symbol(word).value = 9
//# peers: lld
.globl _start
_start: ret
.data
.globl word
word: .dc.a x
.section .note.GNU-stack,"",@progbits
//# file: behind.txt
PROVIDE(unneeded = needed_by_unneeded);
PROVIDE(needed_by_unneeded = 1);
PROVIDE(x = y + 1);
PROVIDE(y = z + 1);
PROVIDE(z = 7);
//# file: before.txt
PROVIDE(z = 7);
PROVIDE(y = z + 1);
PROVIDE(x = y + 1);
PROVIDE(unneeded = x);
