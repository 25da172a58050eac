// The symbols that linkers define, where a program may ask for them.
//# link: -static
//# symbol: _end value=section(.bss).end
//# symbol: end value=symbol(_end).value
//# symbol: __bss_start value=section(.bss).address
//# symbol: _edata value>=section(.data).end value<=section(.bss).address
//# symbol: edata value=symbol(_edata).value
//# symbol: _etext value>=section(.text).end
//# symbol: etext value=symbol(_etext).value
//# symbol: __ehdr_start value=segment(LOAD).address
.globl _start
_start:
  .dc.a _end, end, __bss_start, _edata, edata, _etext, etext, __ehdr_start
.data
  .quad 1
.bss
  .zero 24
.section .note.GNU-stack,"",@progbits
