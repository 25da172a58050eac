// The table for unwinding is sorted by address; equal entries are one; code without an entry gets
// one that ends that of the function before, as does the end of all code.
//# driver: ld
//# variant: merged:
//# variant: kept: --no-merge-exidx-entries
//# link: -e _start main.o other.o
//# word32: section(.data).address = section(.ARM.exidx).address
//# word32: section(.data).address+4 = section(.ARM.exidx).address+section(.ARM.exidx).size
//# @merged section: .ARM.exidx size=32
//# @kept section: .ARM.exidx size=40
//# check: readelf -lW $OUT | grep -q EXIDX
//# check: readelf -u $OUT | grep -q '<_start>: 0x80b0b0b0'
//# check: readelf -u $OUT | grep -q '<bare>: 0x1 .cantunwind'
//# check: readelf -u $OUT | grep -q '<last>: 0x80a8b0b0'
//# check: test $(readelf -u $OUT | grep -c cantunwind) = 2
//# peers: none
.syntax unified
.arch armv7-a
.arm
.section .text.a,"ax",%progbits
.globl _start
.type _start, %function
_start:
  .fnstart
  bx lr
  .fnend
.section .text.b,"ax",%progbits
.type two, %function
two:
  .fnstart
  bx lr
  .fnend
.section .text.c,"ax",%progbits
.type bare, %function
bare: bx lr
.section .text.d,"ax",%progbits
.type last, %function
last:
  .fnstart
  .save {r4, lr}
  push {r4, lr}
  pop {r4, pc}
  .fnend
.globl __aeabi_unwind_cpp_pr0
__aeabi_unwind_cpp_pr0:
//# file: other.s
.data
.word __exidx_start, __exidx_end
