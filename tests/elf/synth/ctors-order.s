// .ctors runs from the last word to the first: without a number first, and then ascending numbers, so that
// the highest, the most urgent, runs first. The start files' own words stand at the two ends.
//# link: main.o b.o crtbegin.o a.o crtend.o c.o --no-ctors-in-init-array
//# bytes: section(.ctors).address = ff 01 03 04 05 02 06 00
//# bytes: section(.dtors).address = ff 11 12 00
//# peers: none
.globl _start
_start:
  ret
//# file: b.s
.section .ctors,"aw"
.byte 1
.section .ctors.65000,"aw"
.byte 2
.section .dtors.65000,"aw"
.byte 0x12
//# file: crtbegin.s
.section .ctors,"aw"
.byte 0xff
.section .dtors,"aw"
.byte 0xff
//# file: a.s
.section .ctors,"aw"
.byte 3
.section .ctors.00100,"aw"
.byte 5
.section .dtors,"aw"
.byte 0x11
//# file: crtend.s
.section .ctors,"aw"
.byte 0
.section .dtors,"aw"
.byte 0
//# file: c.s
.section .ctors,"aw"
.byte 4
.section .ctors.65500,"aw"
.byte 6
