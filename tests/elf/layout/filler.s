// --filler: the byte that fills gaps, between input sections and between output sections.
//# file: a.s
.globl _start
_start: ret
.data
.byte 1
//# file: b.s
.text
.balign 8
ret
.data
.balign 8
.byte 2
.section other,"aw"
.balign 64
.byte 3
//# variant: given: --filler 0xfe
//# variant: default:
//# variant: wrong: --filler 0x100
//# link: a.o b.o
//# @given bytes: .text = c3 fe fe fe fe fe fe fe c3
//# @given bytes: .data = 01 fe fe fe fe fe fe fe 02
//# @given check: tail -c +$(( $(readelf -SW $OUT | sed -n 's/.* \.data *PROGBITS *[0-9a-f]* \([0-9a-f]*\) .*/0x\1/p') + 10 )) $OUT | head -c 4 | od -An -tx1 | grep 'fe fe fe fe'
//# @default bytes: .text = c3 cc cc cc cc cc cc cc c3
//# @default bytes: .data = 01 00 00 00 00 00 00 00 02
//# @wrong expect-error: filler: bad value '0x100'
//# peers:
