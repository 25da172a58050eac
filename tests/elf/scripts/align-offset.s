# Within an output section ALIGN of two arguments aligns an offset, and that of one argument an address.
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# symbol: offset value=0x1044
//# symbol: address value=0x1040
//# symbol: behind value=0x1014
//# symbol: start value=0x1004
//# section: .text size=0x20
//# peers: ld
.globl _start
_start: .zero 5
//# file: layout.ld
SECTIONS {
    .text 0x1004 : ALIGN(4) {
        . = . + 1;
        offset = ALIGN(., 64); address = ALIGN(64); behind = ALIGN(. + 1, 16); start = ALIGN(ADDR(.text), 64);
        *(.text)
        . = ALIGN(., 32);
    }
}
