// Names of bounds that GNU ld has for Arm's machines only.
//# link: -static
//# peers: ld
//# symbol: __bss_start__ value=symbol(__bss_start).value
//# symbol: __bss_end__ value=symbol(_end).value
//# symbol: _bss_end__ value=symbol(_end).value
//# symbol: __end__ value=symbol(_end).value
.globl _start
_start: ret
.data
  .xword __bss_start__, __bss_end__, _bss_end__, __end__, __bss_start, _end
.bss
.skip 8
.section .note.GNU-stack,"",@progbits
