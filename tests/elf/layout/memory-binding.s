// Sections with SHF_GNU_MBIND are joined by content and by the kind of memory in sh_info, start a page
// each and have a program header for it; the default layout's names stay, without the flag.
//# machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# variant: program: -z max-page-size=0x4000 -z common-page-size=0x2000
//# variant: nmagic: -n
//# variant: joined: -r
//# peers: ld
//# header: osabi=3
//# section: .mbind.data info=1 size=12 flags=WAD
//# section: .mbind.data info=2 size=4
//# section: .mbind.bss type=NOBITS info=1 size=64
//# section: .mbind.rodata info=3 size=4 flags=AD
//# section: .mbind.text info=0 size=1 flags=AXD
//# @program,nmagic section: .mbind.data info=3 size=4
//# @program,nmagic no-section: named
//# @program,nmagic section: .data size=4 info=0 flags=WA
//# @program section: .mbind.data align=0x2000 address%0x2000 count=3
//# @program segment: 0x6474e556 filesz=12 memsz=12 flags=RW offset=section(.mbind.data).offset
//# @program segment: 0x6474e556 filesz=0 memsz=64 flags=RW
//# @program segment: 0x6474e557 count=1
//# @program segment: 0x6474e558 count=2
//# @program segment: 0x6474e555 flags=RX count=1
//# @nmagic section: .mbind.data align=1 count=3
//# @nmagic no-segment: 0x6474e556
//# @joined section: named info=3 flags=WAD
//# @joined section: .data.bound info=1 flags=WAD
.section .mbind.data,"adw",@progbits,0x1
.long 1, 2
.section .mbind.data,"adw",@progbits,0x2
.long 6
.section .mbind.bss,"adw",@nobits,0x1
.zero 64
.section .mbind.rodata,"ad",@progbits,0x3
.long 6
.section named,"awd",@progbits,0x3
.long 7
.section .mbind.text,"axd",@progbits,0x0
ret
.text
.globl _start
_start: ret
//# file: other.s
.section .mbind.data,"adw",@progbits,0x1
.long 8
.section .data.bound,"adw",@progbits,0x1
.long 9
