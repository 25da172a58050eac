# Of assignments in several scripts and options the last of the command line holds.
//# driver: ld
//# variant: input: -z noexecstack -T layout.ld main.o other.ld
//# variant: option: -z noexecstack -T layout.ld main.o --defsym=own=2
//# variant: script: -z noexecstack other.ld main.o --defsym=own=3 -T layout.ld
//# @input,option symbol: own value=2
//# @script symbol: own value=1
//# symbol: copy value=1
//# peers: ld
.globl _start
_start: ret
//# file: layout.ld
own = 1;
SECTIONS { . = 0x10000; .text : { *(.text) } .words : { QUAD(own) } }
copy = own;
//# file: other.ld
own = 2;
