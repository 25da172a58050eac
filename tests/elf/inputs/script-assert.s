// ASSERT is evaluated when addresses are known; its message is the error.
//# @holds,fails machines: x86-64 aarch64 x32 the size of its code is expected
//# variant: holds: main.o good.txt
//# variant: fails: main.o bad.txt
//# variant: later: main.o good.txt -Ttext=0x800000
//# link: -static
//# @holds symbol: limit
//# @fails expect-error: ^[^>]*the text is below its limit$
//# @later expect-error: the text is too high
//# @holds,later peers: ld
//# @fails peers:
.globl _start
_start: ret
.globl limit
.set limit, 0x500000
.section .note.GNU-stack,"",@progbits
//# file: good.txt
ASSERT(_start < limit, "the text is too high")
//# file: bad.txt
ASSERT(_start > limit, "the text is below its limit")
