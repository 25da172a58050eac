# With LD_FEATURE("SANE_EXPR") a number that is added to an address stays in its section; messages of
# ASSERT need no quotation marks.
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# symbol: sum section=.text value=symbol(_start).value+4
//# peers: ld
.globl _start
_start: ret
//# file: layout.ld
LD_FEATURE("SANE_EXPR")
SECTIONS { . = 0x10000; .text : { *(.text) } }
sum = _start + 4;
ASSERT(sum == _start + 4, wrong)
