# PT_GNU_RELRO ends with a page and inside of what is loaded: where an address is given to what stands behind,
# the rest of the page is zeros; where something else is loaded there, it ends before.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# driver: ld
//# variant: apart: -T layout.ld -Tdata=0x700000
//# variant: shared: -T headers.ld -Tdata=0x400ff8
//# variant: usual: -T layout.ld
//# link: main.o -z max-page-size=0x1000
//# @apart,usual segment: GNU_RELRO end=0x401000
//# @apart segment: LOAD end=0x401000 filesz=0xfe8
//# @usual segment: LOAD end=0x401008
//# @shared segment: GNU_RELRO address=0x400000 end=0x400fe8
//# peers: none
.globl _start
_start: ret
.section .data.rel.ro,"aw"
.balign 32
.zero 0xfe0
.section .last,"aw"
.quad 2
.data
.quad 1
.section .note.GNU-stack,"",@progbits
//# file: layout.ld
SECTIONS { .text 0x100000 : { *(.text) } . = 0x400000; . = DATA_SEGMENT_ALIGN(0x1000, 0x1000);
  .data.rel.ro : { *(.data.rel.ro) } .last : { *(.last) } . = DATA_SEGMENT_RELRO_END(0, .);
  .data : { *(.data) } .bss : { *(.bss) } }
//# file: headers.ld
PHDRS { text PT_LOAD; relro PT_LOAD; data PT_LOAD; protected PT_GNU_RELRO; }
SECTIONS { .text 0x100000 : { *(.text) } :text . = 0x400000; . = DATA_SEGMENT_ALIGN(0x1000, 0x1000);
  .data.rel.ro : { *(.data.rel.ro) } :relro :protected .last : { *(.last) } . = DATA_SEGMENT_RELRO_END(0, .);
  .data : { *(.data) } :data .bss : { *(.bss) } }
