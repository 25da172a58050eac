// With --gc-sections KEEP keeps what nothing refers to; sections of other statements are dropped.
//# compile: -fno-pic -fno-asynchronous-unwind-tables -fdata-sections
//# driver: ld
//# link: main.o -T layout.ld --gc-sections
//# peers: ld lld
//# lint-except: writable-code code and data share a page here, as the script says
//# symbol: kept section=.table
//# no-symbol: dropped
//# symbol: table_end value=symbol(kept).value+4
__attribute__((section("table"))) int kept = 3;
__attribute__((section("other"))) int dropped = 3;
void _start(void) {}
//# file: layout.ld
ENTRY(_start)
SECTIONS { . = 0x10000; .text : { *(.text) } .table : { KEEP(*(table)) table_end = .; } .other : { *(other) }
  /DISCARD/ : { *(.comment) *(.note*) } }
