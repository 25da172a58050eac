# A section that ends beyond 64 bits is an error.
//# driver: ld
//# link: -static --section-start=.bss=0xffffffffffff0000
//# expect-error: \.bss.*address space
//# peers: ld lld
        .globl  _start
_start: ret
        .bss
        .zero   0x100000
