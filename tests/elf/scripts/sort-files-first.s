// Sorted files count more than sorted sections: all sections of the first file come first.
//# link: b.o a.o -e 0 -T script.ld
//# symbol: a_z value=0x10004
//# symbol: a_b value=0x10000
//# symbol: b_a value=0x10008
//# peers: ld
//# file: a.s
.globl a_z, a_b
.section .text.z, "ax"
a_z: .long 1
.section .text.b, "ax"
a_b: .long 2
//# file: b.s
.globl b_a
.section .text.a, "ax"
b_a: .long 3
//# file: script.ld
SECTIONS { . = 0x10000; .text : { SORT(*)(SORT_BY_NAME(.text.*)) } }
