// A list of --section-order that cannot be followed is an error.
//# variant: backward: --section-order='=0x800000 EHDR PHDR =0x200000 TEXT DATA BSS RODATA'
//# variant: missing: --section-order='EHDR PHDR TEXT BSS RODATA'
//# variant: word: --section-order='EHDR %3 TEXT'
//# variant: ehdr: --section-order='TEXT EHDR'
//# variant: unaligned: --section-order='=0x200010 EHDR TEXT DATA BSS RODATA'
//# variant: start: --section-order='EHDR TEXT DATA BSS RODATA' -Ttext=0x1000
//# link: -static
//# @backward expect-error: --section-order: address goes backward: 0x200000 is asked for behind 0x800
//# @missing expect-error: --section-order: no place is given for section .data
//# @word expect-error: --section-order: bad value '.*': expected .*, not '%3'
//# @ehdr expect-error: --section-order: bad value '.*': expected .*, not EHDR behind something else
//# @unaligned expect-error: --section-order: EHDR is not at a multiple of the page size
//# @start expect-error: --section-order and --section-start
//# peers:
.globl _start
_start: ret
.data
.quad 1
.section .note.GNU-stack,"",@progbits
