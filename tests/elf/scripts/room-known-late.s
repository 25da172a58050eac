// An output section of which the size follows from what comes later has room from the beginning.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 no section of the linker's own follows those of a script
//# variant: size: -T size.ld
//# variant: not-loaded: -T not-loaded.ld
//# variant: padding: -T padding.ld
//# link: main.o -e 0
//# @size,not-loaded section: .room address=0x10010 size=0x10 type=NOBITS flags=WA
//# @size,not-loaded section: .data address=0x10020
//# @padding section: .room size=0
//# @padding section: .ro address=0x11000
//# @size,not-loaded lint-except: writable-code the script puts all into one segment
//# peers: ld
.text
.fill 16
.data
.quad 2
.section .note.GNU-stack,"",@progbits
//# file: size.ld
SECTIONS { . = 0x10000; .text : { *(.text) } .room : { . = . + SIZEOF(.z); } .data : { *(.data) } .z : { QUAD(1) QUAD(2) } }
//# file: not-loaded.ld
SECTIONS { . = 0x10000; .text : { *(.text) } .room (NOLOAD) : { *(.nope) . += ADDR(.e) - ADDR(.z); } .data : { *(.data) } .z : { QUAD(1) QUAD(2) } .e : { QUAD(3) } }
//# file: padding.ld
SECTIONS {
  . = 0x10000;
  .text : { *(.text) }
  . = DATA_SEGMENT_ALIGN(0x1000, 0x1000);
  .room : { . = ALIGN(64); . = . + 0; }
  .ro : { *(.data) }
  . = DATA_SEGMENT_RELRO_END(0, .);
  .rw : { QUAD(9) }
  . = DATA_SEGMENT_END(.);
}
