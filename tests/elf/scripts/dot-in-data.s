# In data statements the location counter is an address, and with it the values made of it; ORIGIN
# in an output section is an address of that section.
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# bytes: section(.own).address = 02 10 10 10
//# symbol: origin value=0x1006 section=.own
//# peers: ld
.globl _start
_start: ret
//# file: layout.ld
number = 0x10;
MEMORY { ROM : ORIGIN = 0x1000, LENGTH = 4K }
SECTIONS {
    .text : { *(.text) . = 2; } >ROM
    .own : { SHORT(. + 0) SHORT((. & 0xff00) + number) origin = . & ORIGIN(ROM); } >ROM
}
