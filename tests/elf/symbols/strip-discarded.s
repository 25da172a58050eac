// --no-strip-discarded: symbols of sections that --discard-section names stay, without a place.
//# variant: default: --no-strip-discarded --strip-discarded
//# variant: kept: --no-strip-discarded
//# link: --discard-section=.gone
//# @default no-symbol: gone_symbol
//# @kept symbol: gone_symbol section=ABS value=0
//# peers:
.globl _start, gone_symbol
_start: ret
.section .gone,"aw"
gone_symbol: .quad 1
