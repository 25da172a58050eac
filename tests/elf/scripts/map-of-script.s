// A map shows each output section of a script once, with its size, and beneath it in order what is
// in it: inputs, gaps, numbers, and the assignments in their places.
//# machines: x86-64 i386 x32 sizes of its code are expected
//# driver: ld
//# link: main.o -T main.ld -Map=map
//# peers:
//# check: test "$(grep -c '^\.text' map)" = 1
//# file-matches: map ^\.text +0x0*1000 +0x1c$
//# check: sed -n '/^\.text/,/^$/p' map | sed 's/  */ /g; s/0x00*\([0-9a-f]\)/0x\1/g' | cmp - expected
//# file-matches: map ^ +0x0*2000 +top = 0x2000$
    .globl _start
    .text
_start: ret
    .section .text.b,"ax"
    .byte 1
    .section .text.c,"ax"
    .balign 16
    .byte 2
    .data
    .byte 3
//# file: main.ld
SECTIONS {
  . = 0x1000;
  .text : { first = .; *(.text) mid = .; *(.text.b) . = ALIGN(8); LONG(5) *(.text.c) BYTE(6) . = . + 2; QUAD(7) last = .; }
  . = 0x2000;
  top = .;
  .data : { *(.data) }
}
//# file: expected
.text 0x1000 0x1c
 0x1000 first = 0x1000
 .text 0x1000 0x1 main.o
 0x1000 _start
 0x1001 mid = 0x1001
 .text.b 0x1001 0x1 main.o
 *fill* 0x1002 0x6 
 0x1008 0x4 LONG 0x5
 *fill* 0x100c 0x4 
 .text.c 0x1010 0x1 main.o
 0x1011 0x1 BYTE 0x6
 *fill* 0x1012 0x2 
 0x1014 0x8 QUAD 0x7
 0x101c last = 0x101c
 0x2000 top = 0x2000

