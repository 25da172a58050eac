// What refers to a dropped copy of debug information means the copy that is kept, if that has the same
// size: `.debug_macro` of a header, or any section of a group that is not loaded. References to it
// by a section symbol or by a local one are told apart by nothing. A copy of another size is nowhere.
// GNU ld does the same for debug sections, and refuses others.
//# peers: none
//# variant: program: -static
//# variant: collected: -static --gc-sections
//# variant: emitted: -static --emit-relocs
//# variant: joined: -r
//# @program,collected,emitted bytes: .debug_info = 04 00 00 00 08 00 00 00 0c 00 00 00 04 00 00 00 08 00 00 00 00 00 00 00
//# @program,collected,emitted bytes: .refers = 00 00 00 00 04 00 00 00 00 00 00 00 04 00 00 00
//# @joined reloc: R_X86_64_32 table=.rela.debug_info addend=4 count=2
//# @joined reloc: R_X86_64_NONE table=.rela.debug_info count=1
//# @joined reloc: R_X86_64_32 table=.rela.refers count=4
//# @emitted reloc: R_X86_64_32 table=.rela.debug_info addend=8 count=2
//# @program,collected,emitted symbol: local count=1
.section .debug_macro,"",@progbits
.long 0x99
.section .debug_macro,"G",@progbits,wm4.same,comdat
.Lsame: .long 0x11, 0x22
.section .debug_macro,"G",@progbits,wm4.other,comdat
.Lother: .long 0x33
.section .debug_info,"",@progbits
.long .Lsame, .Lsame + 4, .Lother
.section .named,"G",@progbits,named,comdat
local: .long 0x55, 0x66
.section .refers,"",@progbits
.long local, .named + 4
.text
.globl _start
_start: ret
//# file: b.s
.section .debug_macro,"G",@progbits,wm4.same,comdat
.Lsame: .long 0x11, 0x22
.section .debug_macro,"G",@progbits,wm4.other,comdat
.Lother: .long 0x33, 0x44
.section .debug_info,"",@progbits
.long .Lsame, .Lsame + 4, .Lother
.section .named,"G",@progbits,named,comdat
local: .long 0x55, 0x66
.section .refers,"",@progbits
.reloc ., R_X86_64_32, local
.long 0, .named + 4
.text
ret
