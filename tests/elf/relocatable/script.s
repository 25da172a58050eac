# With -r a script says which sections the output has and what stands in each; symbols that it
# assigns count from their sections. Members of groups are left to their groups.
//# driver: ld
//# link: -r main.o -T script.ld
//# section: .text flags=AX size=20
//# section: .data address=0x100 align=32
//# section: .empty size=0
//# no-section: .gone
//# section: .grp flags=AXG size=1
//# no-section: .discard
//# symbol: start value=1
//# symbol: sym_in value=0x10
//# symbol: abs value=0x108
//# bytes: .text = 07 c3 e8 00 00 00 00 90 90 90 90 90 90 90 90 90 44 33 22 11
//# bytes: .fixed = 90 90 90 90 90 90 90 90 00 00 00 00 00 00 00 00
//# peers: ld
.section .data.x,"aw"
.globl x
x: .long 1
.long sym_in
.section .mine,"a"
.balign 8
.dc.a x
.section .t.b,"ax"
f: call g
.section .t.a,"ax"
.globl g
g: ret
.section .grp,"axG",@progbits,sig,comdat
h: nop
.section .own,"",@progbits
.dc.a g
.section .discard,"a"
.byte 1
.section .orphan,"a"
.byte 1
//# file: script.ld
SECTIONS {
    outer = 5;
    .text : {
        BYTE(7) start = .; *(SORT(.t.*)) . = ALIGN(16);
        sym_in = .; LONG(0x11223344) end = .;
    }
    .data 0x100 : ALIGN(32) { *(.data*) after = . + 1; abs = ABSOLUTE(.); }
    .empty 0 : { e = .; }
    .gone : { *(.nothing) }
    /DISCARD/ : { *(.discard) }
    .fixed 0 : { LONG(0x90909090) . = . + 4; *(.grp) *(.mine) } =0x90
    PROVIDE(sym_used = 5);
    ASSERT(SIZEOF(.text) == 20, "size of .text")
}
