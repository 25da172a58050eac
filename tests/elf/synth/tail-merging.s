// With -O2 a string that ends another one is kept inside it.
//# link: -static -O2
//# contains: .rodata "world" count=1
//# word: symbol(place).value = symbol(long).value+6
.globl _start, long
_start: ret
.data
place: .dc.a short
.section .rodata.str1.1,"aMS",@progbits,1
short: .string "world"
long: .string "hello world"
.section .note.GNU-stack,"",@progbits
