// There is no PT_GNU_RELRO where no segment begins in its memory: code that stands before it in the same
// segment would lose its permission to run.
//# link: main.o -e 0 -T script.ld -z noseparate-code
//# no-segment: GNU_RELRO
//# lint-except: writable-code the script puts all into one segment
//# peers: ld
.text
.quad 0
.section .rodata, "a"
.quad 3
.section .data.rel.ro, "aw"
.quad 1
.data
.quad 2
.section .note.GNU-stack,"",@progbits
//# file: script.ld
SECTIONS {
  . = 0x400000;
  .rodata : { *(.rodata) }
  . = DATA_SEGMENT_ALIGN(0x1000, 0x1000);
  .text : { *(.text) }
  . = ALIGN(0x10);
  .before : { LONG(0x12345678) }
  .r : { *(.data.rel.ro) }
  . = DATA_SEGMENT_RELRO_END(0, .);
  .data : { *(.data) }
}
