// An address has 32 bits, so a word may be a negative number, as in GNU ld: a symbol, or a sum with
// an addend, in loaded sections and in others. What 32 bits do not hold is an error.
//# variant: fits: --defsym=low=-422 --defsym=zero=0 --defsym=high=0xffffff00
//# variant: beyond: --defsym=low=0-0x80000001 --defsym=zero=0 --defsym=high=0
//# @fits word32: symbol(words).value = 0xfffffe5a
//# @fits word32: symbol(words).value+4 = 0xfffffff0
//# @fits word32: symbol(words).value+8 = 0xffffff00
//# @fits check: objdump -sj .extra $OUT | grep ' 5afeffff '
//# @beyond expect-error: R_X86_64_32
//# @fits peers: ld
//# @beyond peers: none
.globl _start
_start: ret
.data
words: .long low, zero - 16, high
.section .extra,"",@progbits
.long low
.section .note.GNU-stack,"",@progbits
