// An index beside other sections in one output section stays as it is, and so do the others.
//# driver: ld
//# variant: before: main.o -T before.ld
//# variant: behind: main.o -T behind.ld
//# link: --defsym=__aeabi_unwind_cpp_pr0=0 --defsym=__aeabi_unwind_cpp_pr1=0
//# @before word32: symbol(mark).value+4 = 0x8101b2ff
//# @before word32: symbol(mark).value+8 = 0x06a8b0b0
//# @before symbol: mark value=symbol(first).value+24
//# @behind symbol: last value=symbol(first).value+16
//# peers:
.syntax unified
.globl _start
.type _start, %function
_start:
  .fnstart
  bx lr
  .cantunwind
  .fnend
.section .text.f, "ax", %progbits
.globl f
.type f, %function
f: .fnstart
  push {r4, lr}
  .save {r4, lr}
  .pad #4096
  sub sp, sp, #4096
  bx lr
  .fnend
//# file: before.ld
SECTIONS { . = 0x10000; .text : { *(.text .text.*) }
  .unw : { first = .; *(.ARM.exidx*) mark = .; LONG(1) *(.ARM.extab*) } }
//# file: behind.ld
SECTIONS { . = 0x10000; .text : { *(.text .text.*) *(.ARM.extab*) first = .; *(.ARM.exidx*) last = .; } }
