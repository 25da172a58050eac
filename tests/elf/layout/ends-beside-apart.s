// A section that an option places apart from all others is behind no end: memory behind _end is free.
//# link: --section-start=.apart=0x7000000 -z noseparate-code
//# section: .apart address=0x7000000
//# word: symbol(ends).value = symbol(data_end).value
//# word: symbol(ends).value+1word = symbol(zeros_end).value
//# word: symbol(ends).value+2words = symbol(text_end).value
//# peers: ld
.globl _start, ends, data_end, zeros_end, text_end
_start:
  nop
  nop
text_end:
.data
ends:
.dc.a _edata, _end, etext
data_end:
.bss
.balign 4
.space 64
zeros_end:
.section .apart,"aw"
.dc.a 1
.section .note.GNU-stack,"",@progbits
