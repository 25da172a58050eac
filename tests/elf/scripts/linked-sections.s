# Sections with SHF_LINK_ORDER go with what /DISCARD/, --discard-section or SHF_EXCLUDE takes, along
# chains, not loaded ones too; those that stay have a sh_link and are in the order of the load
# addresses of what they are linked to.
//# driver: ld
//# variant: plain: main.o -T plain.ld
//# variant: discard: main.o -T discard.ld
//# variant: orphan: main.o -T orphan.ld
//# variant: option: main.o --discard-section=.text.b
//# variant: option-joined: -r main.o --discard-section=.text.b
//# variant: discard-joined: -r main.o -T discard.ld
//# variant: exclude: main.o excluded.o
//# variant: addresses: main.o -T addresses.ld
//# variant: loads: main.o -T loads.ld --no-check-sections
//# variant: stated: main.o -T stated.ld
//# archive: unused.a excluded.o
//# @loads lint-except: section-address-overlap it is asked for
//# @loads lint-except: load-order it is asked for
//# @loads lint-except: section-offset two sections have one address
//# @plain bytes: section(.meta).address = 03 02 01
//# @plain section: .meta flags=AL link=section(.text).index
//# @plain section: .mm flags=AL link=section(.meta).index
//# @discard bytes: section(.meta).address = 03 01
//# @discard section: .meta size=2
//# @discard,orphan,option,option-joined,discard-joined no-section: ~\.(mm|note|nn)
//# @orphan,option,option-joined no-section: .meta.b
//# @option,option-joined section: .meta.c size=1
//# @discard-joined section: .meta size=2
//# @exclude no-section: ~\.(gone|mg|mmg|ng)
//# @exclude section: .meta.a
//# @addresses bytes: section(.meta).address = 02 01 03
//# @addresses section: .meta link=section(.text3).index
//# @loads bytes: section(.meta).address = 02 01 03
//# @stated bytes: section(.meta).address = 07 03 02 01
//# @stated section: .meta flags=AL link=section(.text).index
//# @plain,discard,addresses,loads,stated peers: ld
//# @orphan,option,option-joined,discard-joined,exclude peers: none
.globl _start
.section .text.a,"ax"
_start: ret
.section .text.b,"ax"
b: nop
    ret
.section .text.c,"ax"
c: nop
    nop
    ret
.section .nn.b,"o",@progbits,.note.b
.byte 0x24
.section .mm.b,"ao",@progbits,.meta.b
.byte 0x22
.section .meta.c,"ao",@progbits,.text.c
.byte 3
.section .meta.a,"ao",@progbits,.text.a
.byte 1
.section .meta.b,"ao",@progbits,.text.b
.byte 2
.section .note.b,"o",@progbits,.text.b
.byte 0x23
.section .note.GNU-stack,""
//# file: excluded.s
.section .gone,"axe"
nop
.section .mmg,"ao",@progbits,.mg
.byte 9
.section .mg,"ao",@progbits,.gone
.byte 9
.section .ng,"o",@progbits,.gone
.byte 9
.section .note.GNU-stack,""
//# file: plain.ld
SECTIONS { . = 0x10000; .text : { *(.text.c) *(.text.b) *(.text.a) } .meta : { *(.meta.*) }
  .mm : { *(.mm.*) } .note : { *(.note.b) } .nn : { *(.nn.*) } }
//# file: discard.ld
SECTIONS { . = 0x10000; .text : { *(.text.c) *(.text.a) } /DISCARD/ : { *(.text.b) } .meta : { *(.meta.*) }
  .mm : { *(.mm.*) } .note : { *(.note.b) } .nn : { *(.nn.*) } }
//# file: orphan.ld
SECTIONS { . = 0x10000; .text : { *(.text.c) *(.text.a) } /DISCARD/ : { *(.text.b) } }
//# file: addresses.ld
SECTIONS { .text3 0x30000 : { *(.text.c) } .text1 0x20000 : { *(.text.b) } .text : { *(.text.a) }
  .meta 0x40000 : { *(.meta.*) } .mm : { *(.mm.*) } .note : { *(.note.b) } .nn : { *(.nn.*) } }
//# file: loads.ld
SECTIONS { .text1 0x20000 : AT(0x60000) { *(.text.c) } .text2 0x20000 : AT(0x50000) { *(.text.b) } .text 0x20010 : AT(0x50010) { *(.text.a) }
  .meta 0x40000 : { *(.meta.*) } .mm : { *(.mm.*) } .note : { *(.note.b) } .nn : { *(.nn.*) } }
//# file: stated.ld
SECTIONS { . = 0x10000; .text : { *(.text.c) *(.text.b) *(.text.a) } .meta : { BYTE(7) *(.meta.*) }
  .mm : { *(.mm.*) } .note : { *(.note.b) } .nn : { *(.nn.*) } }
