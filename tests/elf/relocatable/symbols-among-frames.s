// Symbols at FDEs and CIEs go where these go; those of what another file's group replaces, to what follows.
//# driver: ld
//# link: -r
//# peers: none
//# symbol: cie section=.eh_frame value=0
//# symbol: inside section=.eh_frame value=0x18
//# symbol: last section=.eh_frame value=0x28
//# symbol: replaced section=.eh_frame value=0x3c
//# symbol: behind section=.eh_frame value=0x3c
//# symbol: end section=.eh_frame value=0x50
//# symbol: behind_end section=.eh_frame value=0x54
//# section: .eh_frame size=0x54
.macro cie name
\name: .long 16
.long 0
.byte 1
.asciz "zR"
.uleb128 1
.sleb128 -8
.byte 16
.uleb128 1
.byte 0x1b
.byte 0, 0, 0
.endm
.macro fde name, cie, function
\name: .long 16
.long . - \cie
.long \function - .
.long 1
.byte 0, 0, 0, 0
.endm
.section .text.f,"axG",@progbits,f,comdat
.globl f
f: ret
.text
g: ret
.section .eh_frame,"a",@progbits
cie cie
fde first, cie, f
inside = first + 4
fde last, cie, g
//# file: b.s
.macro cie name
\name: .long 16
.long 0
.byte 1
.asciz "zR"
.uleb128 1
.sleb128 -8
.byte 16
.uleb128 1
.byte 0x1b
.byte 0, 0, 0
.endm
.macro fde name, cie, function
\name: .long 16
.long . - \cie
.long \function - .
.long 1
.byte 0, 0, 0, 0
.endm
.section .text.f,"axG",@progbits,f,comdat
.globl f
f: ret
.text
h: ret
.section .eh_frame,"a",@progbits
cie merged
fde replaced, merged, f
fde behind, merged, h
//# file: end.s
.section .eh_frame,"a",@progbits
end: .long 0
behind_end:
