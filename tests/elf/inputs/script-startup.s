// STARTUP names the first input, TARGET(binary) the form of those that follow in the script.
//# link: b.o all.txt -static
//# symbol: first value=section(.text).address
//# contains: .data "plain text"
//# symbol: _binary_plain_txt_start
//# peers:
.globl first
first: nop
.section .note.GNU-stack,"",@progbits
//# file: b.s
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
//# file: all.txt
STARTUP(main.o)
TARGET(binary)
INPUT(plain.txt)
//# file: plain.txt
plain text
