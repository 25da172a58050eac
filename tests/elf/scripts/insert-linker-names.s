// Expressions of a script with INSERT know what the linker itself defines, whether its value is known
// before or behind them.
//# link: main.o -static -T insert.ld
//# peers: none
//# symbol: start value=symbol(__executable_start).value
//# symbol: head value=symbol(__executable_start).value
//# symbol: last value=symbol(_end).value
//# symbol: code value=symbol(etext).value
//# symbol: bound value=section(set).address section=set
//# symbol: none value=symbol(__executable_start).value
//# word64: section(.own).address = symbol(__executable_start).value
//# word64: section(.own).address+8 = symbol(_end).value
//# word64: section(.own).address+16 = symbol(__bss_start).value
//# word64: section(.own).address+24 = symbol(_edata).value
.globl _start
_start:
  ret
.data
.dc.a _end, __bss_start, _edata, etext, __executable_start, __ehdr_start
.section set,"aw"
.quad 1
.bss
.zero 8
.section .note.GNU-stack,"",@progbits
//# file: insert.ld
start = __executable_start;
head = __ehdr_start;
last = _end;
code = etext;
bound = __start_set;
none = __preinit_array_start;
SECTIONS {
  .own : { QUAD(__executable_start) QUAD(_end) QUAD(__bss_start) QUAD(_edata) }
} INSERT AFTER .data;
