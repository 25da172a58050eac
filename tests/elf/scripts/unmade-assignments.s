# What is assigned in an output section that is not made does not hold.
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# no-symbol: inner
//# symbol: outer value=5
//# peers: ld
.globl _start
_start: ret
//# file: layout.ld
SECTIONS {
    .text : { *(.text) }
    .none : ONLY_IF_RW { inner = .; *(.nothing) }
    outer = 5;
}
