// Sections of a segment need not ascend in the order of the script: the segment begins with the lowest,
// and covers them all.
//# machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# variant: one: -T one.ld
//# variant: headers: -T headers.ld
//# variant: zeros: -T zeros.ld
//# link: main.o -e 0
//# lint-except: writable-code asked for
//# lint-except: nobits-in-file zeros below other sections are in the file
//# peers: ld
//# @one segment: LOAD address=0x10000 filesz=0x1001 memsz=0x1001 flags=RWX
//# @headers segment: LOAD address=0xf000 offset=0 filesz=0x2001 flags=RX
//# @headers segment: LOAD address=0x90000 filesz=4 memsz=0x1004 flags=RW
//# @zeros segment: LOAD address=0x10000 filesz=0x3006 memsz=0x3006
//# @zeros section: .bss address=0x11000
//# word8: section(.text).address = 0xc3
//# word32: section(.data).address = 7
//# word8: section(.rodata).address = 104
.text
ret
.section .rodata
.asciz "hello"
.data
.long 7
.bss
.long 0
.section .note.GNU-stack,"",@progbits
//# file: one.ld
PHDRS { all PT_LOAD; }
SECTIONS {
  .text 0x11000 : { *(.text) } :all
  .data 0x10800 : { *(.data) }
  .rodata 0x10000 : { *(.rodata) }
  .bss 0x10400 : { *(.bss) }
}
//# file: headers.ld
PHDRS { all PT_LOAD FILEHDR PHDRS; data PT_LOAD; }
SECTIONS {
  .text 0x11000 : { *(.text) } :all
  .rodata 0x10000 : { *(.rodata) }
  .bss 0x91000 : { *(.bss) } :data
  .data 0x90000 : { *(.data) } :data
}
//# file: zeros.ld
PHDRS { all PT_LOAD; }
SECTIONS {
  .text 0x10000 : { *(.text) } :all
  .data 0x12000 : { *(.data) }
  .bss 0x11000 : { *(.bss) }
  .rodata 0x13000 : { *(.rodata) }
}
