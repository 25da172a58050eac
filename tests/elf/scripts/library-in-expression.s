# The address of what a library defines is no value for an expression.
//# driver: ld
//# shared: libx.so x.o
//# link: main.o libx.so -z noexecstack -T layout.ld
//# expect-error: symbol.*outside
//# peers: ld lld
.globl _start
_start: ret
//# file: x.s
.data
.globl outside
.type outside,@object
.size outside,8
outside: .quad 1
//# file: layout.ld
SECTIONS { . = 0x10000 + SIZEOF_HEADERS; .text : { *(.text) } .data : { *(.data) QUAD(outside) } }
