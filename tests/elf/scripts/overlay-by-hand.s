# Sections at one address that are loaded apart are an overlay without the word, as with GNU ld, and what
# stands behind each may meet too; zeros may share an address.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 no section of the linker's own follows those of a script
//# @regions machines: x86-64 aarch64 aarch64_be i386 x32 code may have an odd length
//# driver: ld
//# variant: stated: -T stated.ld
//# variant: regions: -T regions.ld
//# variant: parts: -T parts.ld
//# variant: zeros: -T zeros.ld
//# variant: accident: -T accident.ld
//# link: main.o --no-warn-rwx-segments
//# @zeros lint-except: load-order zeros take turns at one address
//# @zeros lint-except: section-address-overlap zeros take turns at one address
//# @stated,regions lint-except: writable-code code and data are together
//# @stated segment: LOAD address=0x500000 physical=0x600000 filesz=4
//# @stated segment: LOAD address=0x500000 physical=0x600004 filesz=8
//# @regions segment: LOAD address=0x800100 physical=0x400017 filesz=4
//# @regions segment: LOAD address=0x800100 physical=0x40001b filesz=8
//# @parts segment: LOAD address=0x500000 physical=0x600000 filesz=12
//# @parts segment: LOAD address=0x500000 physical=0x60000c filesz=8
//# @zeros section: .z1 address=0x500000 size=16
//# @zeros section: .z2 address=0x500000 size=32
//# @stated,regions,parts contains: .ov1 1111
//# @stated,regions,parts contains: .ov2 22222222
//# @accident expect-error: section .ov2 (VMA )?.*overlaps (with|section) .ov1
//# peers: ld
.globl _start
_start: .fill 23, 1, 0x90
.section .ov1,"ax"
.ascii "1111"
.section .ov2,"ax"
.ascii "22222222"
.section .behind,"ax"
.ascii "33333333"
.section .z1,"aw",@nobits
.zero 16
.section .z2,"aw",@nobits
.zero 32
.data
.quad 1
.section .note.GNU-stack,""
//# file: stated.ld
SECTIONS { .text 0x400000 : { *(.text) }
  .ov1 0x500000 : AT(0x600000) { *(.ov1) }
  .ov2 0x500000 : AT(0x600000 + SIZEOF(.ov1)) { *(.ov2) }
  .data 0x700000 : { *(.data .behind .z*) } }
//# file: regions.ld
MEMORY { rom : ORIGIN = 0x400000, LENGTH = 1M  ram : ORIGIN = 0x800000, LENGTH = 64K }
SECTIONS { .text : { *(.text) } > rom
  .ov1 ORIGIN(ram) + 0x100 : { *(.ov1) } > ram AT> rom
  .ov2 ORIGIN(ram) + 0x100 : { *(.ov2) } > ram AT> rom
  .data ORIGIN(ram) + 0x200 : { *(.data .behind .z*) } > ram AT> rom }
//# file: parts.ld
SECTIONS { .text 0x400000 : { *(.text) }
  .ov1 0x500000 : AT(0x600000) { *(.ov1) }
  .behind : AT(0x600004) { *(.behind) }
  .ov2 0x500000 : AT(0x60000c) { *(.ov2) }
  .data 0x700000 : AT(0x700000) { *(.data .z*) } }
//# file: zeros.ld
SECTIONS { .text 0x400000 : { *(.text .ov1 .ov2 .behind) } .data 0x480000 : { *(.data) }
  .z1 0x500000 (NOLOAD) : { *(.z1) } .z2 0x500000 (NOLOAD) : { *(.z2) } }
//# file: accident.ld
SECTIONS { .text 0x400000 : { *(.text) } .ov1 0x500000 : AT(0x600000) { *(.ov1) }
  .ov2 0x500002 : AT(0x700000) { *(.ov2) } .data 0x800000 : { *(.data .behind .z*) } }
