# The size of headers under -r is that of the file header, as with GNU ld and lld.
//# machines: x86-64 aarch64 addresses, and what is made of them, have eight bytes
//# driver: ld
//# variant: laid-out: -T laid-out.ld
//# variant: assigned: --defsym=x=SIZEOF_HEADERS
//# variant: alone: -T alone.ld
//# link: -r main.o
//# symbol: x value=0x40
.text
nop
.section .note.GNU-stack,""
//# file: laid-out.ld
x = SIZEOF_HEADERS; SECTIONS { . = SIZEOF_HEADERS; .text : { *(.text) } }
//# file: alone.ld
x = SIZEOF_HEADERS;
