// A symbol in an empty section keeps an address.
//# link: -static
//# symbol: nothing section!=UND value>0
.globl _start
.text
_start: lea nothing(%rip), %rax
.section .data.empty,"aw"
.globl nothing
nothing:
.section .note.GNU-stack,"",@progbits
