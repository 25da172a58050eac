// A program has ends of its data of its own, whatever a file of --just-symbols says of its own: `sbrk` begins at
// `_end`. Other names of these places are taken. GNU ld's scripts assign the former and propose the latter; lld
// takes them all.
//# peers: ld
//# sh: "$LD" b.o -static -Ttext=0x700000 -e function -o other
//# archive: unused.a b.o
//# link: -static --just-symbols=other
//# symbol: function value=0x700000 section=ABS
//# symbol: end value=8 section=ABS
//# symbol: _end value>=section(.bss).end
//# symbol: _edata section!=ABS
//# symbol: __bss_start section!=ABS
.globl _start
_start: mov $function, %eax
.data
.quad end, _end, _edata, __bss_start
.bss
.zero 16
.section .note.GNU-stack,"",@progbits
//# file: b.s
.globl function, end, _end, _edata, __bss_start
end = 8
_end = 16
_edata = 24
__bss_start = 32
function: ret
.section .note.GNU-stack,"",@progbits
