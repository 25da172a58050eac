# What GNU ld's own scripts for other machines have: SPECIAL, which marks sections that only these
# machines treat in another way, and values for gaps that are longer than an expression.
//# driver: ld
//# link: main.o -T layout.ld -z noexecstack
//# peers: ld
//# lint-except: writable-code code and data share a page here, as the script says
//# section: .plt address=0x1000 size=4
//# section: .got address=0x1040 size=8
//# bytes: section(.text).address+1 = 00 30 00 00 01 00 70 00 00 02 00 00 01 00 04 00 00 30
    .text
    .globl _start
_start: ret
    .section .text.next, "ax"
    .p2align 5
    ret
    .section .plt, "ax"
    .long 1
    .section .got, "aw"
    .quad 2
//# file: layout.ld
SECTIONS {
  . = 0x1000;
  .plt : SPECIAL { *(.plt) }
  .got ALIGN(64) : SPECIAL { *(.got) }
  .text 0x2000 : { *(.text) . = ALIGN(32); *(.text.next) } =0x00300000010070000002000001000400
}
