// --sort-common sorts common symbols by alignment, largest first if nothing else is said, and puts
// them behind the rest of .bss.
//# variant: plain: --sort-common
//# variant: descending: --sort-common=descending
//# variant: ascending: --sort-common=ascending
//# link: -static
//# @plain,descending symbol: large value<symbol(middle).value
//# @plain,descending symbol: middle value<symbol(small).value
//# @ascending symbol: small value<symbol(middle).value
//# @ascending symbol: middle value<symbol(large).value
//# symbol: zeros value<symbol(small).value
//# symbol: zeros value<symbol(large).value
//# peers: ld
.globl _start
.text
_start: ret
.comm middle,4,4
.comm small,1,1
.comm large,16,16
.section .bss.zeros,"aw",@nobits
zeros: .zero 4
.section .note.GNU-stack,"",@progbits
