// A fill may stand before /DISCARD/, which is a name and no divisions; sections without bytes and symbols
// are not made, and what expressions ask of them is zero.
//# driver: ld
//# link: main.o -T layout.ld
//# peers: ld
//# bytes: section(.text).address+17 = 12 34 12
//# no-section: .nothing
//# section: .gap size=0 flags=W
//# symbol: size value=0 section=ABS
    .globl _start
_start: ret
    .p2align 4
    ret
    .section other,"ax"
    ret
//# file: layout.ld
SECTIONS { . = 0x1000; .text : { *(.text) . = ALIGN(8); *(other) . = ALIGN(64); } =0x1234
  /DISCARD/ : { *(.note*) }
  .nothing : { *(nothing) }
  .gap : { . = ALIGN(8); }
  size = SIZEOF(.nothing);
}
