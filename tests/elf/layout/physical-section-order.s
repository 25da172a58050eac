// --physical-image-base holds for segments in the order of --section-order too; what is more than
// two pages further on follows without a gap.
//# machines: x86-64 i386 x32 pages have 4 KiB
//# link: --physical-image-base=0x800000 '--section-order==0x800000 TEXT RODATA =0x900000 DATA BSS'
//# segment: LOAD flags=RX address=0x800000 physical=0x800000
//# segment: LOAD flags=R address=0x801000 physical=0x801000
//# segment: LOAD flags=RW address=0x900000 physical=0x801008
//# peers: mold
.globl _start
_start: ret
.section .rodata,"a"
.quad 1
.data
.quad 2
