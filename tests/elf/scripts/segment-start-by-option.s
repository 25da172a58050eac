// SEGMENT_START is where an option puts the segment, wherever the option stands.
//# link: main.o -e 0
//# variant: text: -T script.ld -Ttext-segment=0x800000
//# variant: before: -Ttext-segment=0x800000 -T script.ld
//# variant: rodata: -T script.ld -Trodata-segment=0x900000
//# variant: default: -T script.ld
//# peers: ld
//# @text,before section: .text address=0x800000
//# @text,before symbol: start value=0x800000
//# @text,before,default section: .rodata address=0x20000
//# @rodata section: .rodata address=0x900000
//# @rodata,default section: .text address=0x10000
.text
.quad 0
.section .rodata, "a"
.quad 1
.section .note.GNU-stack,"",@progbits
//# file: script.ld
SECTIONS {
  . = SEGMENT_START("text-segment", 0x10000);
  start = SEGMENT_START("text-segment", 0x10000);
  .text : { *(.text) }
  . = SEGMENT_START("rodata-segment", 0x20000);
  .rodata : { *(.rodata) }
}
