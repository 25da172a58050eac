# What only an expression names is provided for it, whatever the place.
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# section: .text address=0x20000
//# section: .at address=0x30000
//# segment: LOAD address=0x30000 physical=0x50000
//# word64: section(.words).address = 0x60000
//# peers: ld
.globl _start
_start: ret
//# file: layout.ld
PROVIDE(text_start = 0x20000);
PROVIDE(at_start = 0x30000);
PROVIDE(load = 0x50000);
PROVIDE(number = 0x60000);
PROVIDE(limit = 0x70000);
PROVIDE(nothing = 1);
SECTIONS {
    . = text_start;
    .text : { *(.text) }
    .words : { QUAD(number) }
    .at at_start : AT(load) { BYTE(1) }
}
ASSERT(. < limit, "too large")
