// `DATA_SEGMENT_RELRO_END(24, .)` protects the first 24 bytes of what follows, as GNU ld's default script
// does with `.got.plt`: what is behind them stays writable. The offset may follow from a size that is not
// known yet, and RELRO still ends with a page that way.
//# machines: x86-64 pages have 4 KiB, and words 8 bytes
//# variant: constant: -T constant.ld
//# variant: of-size: -T of-size.ld
//# variant: stated: -T stated.ld
//# link: main.o -e 0
//# segment: GNU_RELRO address=0x401fe0 memsz=0x20 filesz=0x20
//# section: .data.rel.ro address=0x401fe0
//# section: .got.plt address=0x401fe8
//# section: .data address=0x403fe8
//# peers: ld
.text
nop
.section .data.rel.ro, "aw"
.quad 1
.section .slots, "aw"
.fill 0x2000
.data
.quad 2
.section .note.GNU-stack,"",@progbits
//# file: constant.ld
SECTIONS {
  . = 0x400000 + SIZEOF_HEADERS;
  .text : { *(.text) }
  . = DATA_SEGMENT_ALIGN(0x1000, 0x1000);
  .data.rel.ro : { *(.data.rel.ro) }
  . = DATA_SEGMENT_RELRO_END(24, .);
  .got.plt : { *(.slots) }
  .data : { *(.data) }
  . = DATA_SEGMENT_END(.);
}
//# file: of-size.ld
SECTIONS {
  . = 0x400000 + SIZEOF_HEADERS;
  .text : { *(.text) }
  . = DATA_SEGMENT_ALIGN(0x1000, 0x1000);
  .data.rel.ro : { *(.data.rel.ro) }
  . = DATA_SEGMENT_RELRO_END(SIZEOF(.got.plt) >= 24 ? 24 : 0, .);
  .got.plt : { *(.slots) }
  .data : { *(.data) }
  . = DATA_SEGMENT_END(.);
}
//# file: stated.ld
PHDRS { code PT_LOAD FILEHDR PHDRS; data PT_LOAD; relro PT_GNU_RELRO; }
SECTIONS {
  . = 0x400000 + SIZEOF_HEADERS;
  .text : { *(.text) } :code
  . = DATA_SEGMENT_ALIGN(0x1000, 0x1000);
  .data.rel.ro : { *(.data.rel.ro) } :data :relro
  . = DATA_SEGMENT_RELRO_END(24, .);
  .got.plt : { *(.slots) } :data :relro
  .data : { *(.data) } :data
  . = DATA_SEGMENT_END(.);
}
