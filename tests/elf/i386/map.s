// Addresses of the map have 8 digits. It names memory regions with their attributes, and the load
// address of a section that is loaded elsewhere.
//# link: -T regions.ld -Map=list
//# file-matches: list ^FLASH {12}0x08000000 {9}0x00080000 {9}xr$
//# file-matches: list ^RAM {14}0x20000000 {9}0x00020000 {9}xrw!l$
//# file-matches: list ^PLAIN {12}0x40000000 {9}0x00100000$
//# file-matches: list ^\*default\* {8}0x00000000 {9}0xffffffff$
//# file-matches: list ^\.text {11}0x08000000 {8}0x1$
//# file-matches: list ^ \.text {10}0x08000000 {8}0x1 \S+$
//# file-matches: list ^ {16}0x08000000 {16}_start$
//# file-matches: list ^\.data {11}0x20000000 {8}0x4 load address 0x08000001$
.globl _start
_start: nop
.data
.long 1
.section .note.GNU-stack,"",@progbits
//# file: regions.ld
MEMORY {
  FLASH (rx) : ORIGIN = 0x8000000, LENGTH = 512K
  RAM (xrw!i) : ORIGIN = 0x20000000, LENGTH = 128K
  PLAIN : ORIGIN = 0x40000000, LENGTH = 1M
}
REGION_ALIAS("OTHER", RAM)
SECTIONS {
  .text : { *(.text) } >FLASH
  .data : { *(.data) } >RAM AT>FLASH
  .bss : { *(.bss) } >OTHER
}
