// A string section without a final zero is an error.
//# link: -static
//# expect-error: (?i)null|terminat
//# peers: lld
.globl _start
_start: ret
.section .rodata.str1.1,"aMS",@progbits,1
.ascii "no end"
