// S-records and Intel's have 32 bits for an address: a kernel of the upper half has its load
// addresses there, which symbolsrec says of symbols too, and loses the upper half of its entry.
//# machines: x86-64 the bytes of its code, and addresses of eight bytes, are expected
//# driver: ld
//# requires: cmp
//# link: main.o -T low.ld
//# check: for f in srec ihex; do $LD main.o -T low.ld --oformat=$f -o image && tr -d '\r' < image | cmp - low.$f || exit 1; done
//# check: for f in srec ihex; do $LD main.o -T high.ld --oformat=$f -o image && tr -d '\r' < image | cmp - high.$f || exit 1; done
//# check: $LD main.o -T low.ld --oformat=symbolsrec -o image && grep -q '^  _start $12345' image && grep -q '^  zeros $300000' image && grep -q '^  number $55' image
//# check: ! $LD main.o -T far.ld --oformat=ihex -o image
//# lint-except: section-outside-load the load addresses are far from each other
//# peers:
    .globl _start, zeros, number
    .text
_start: ret; nop; nop
    .data
    .quad 1
    .bss
zeros: .zero 16
number = 0x55
//# file: low.ld
ENTRY(_start)
SECTIONS { . = 0xffffffff80100000;
  .text : AT(0x12345) { *(.text) } .data : AT(0x200000) { *(.data) } .bss : AT(0x300000) { *(.bss) } }
//# file: high.ld
ENTRY(_start)
SECTIONS { . = 0xffffffff80000000; .text : { *(.text) } .data : { *(.data) } }
//# file: far.ld
ENTRY(_start)
SECTIONS { . = 0xffffff8000000000; .text : { *(.text) } .data : { *(.data) } }
//# file: low.srec
S0080000696D616765F4
S207012345C39090AC
S20C2000000100000000000000D2
S804100000EB
//# file: low.ihex
:020000021000EC
:03234500C39090B2
:020000020000FC
:020000040020DA
:080000000100000000000000F7
:040000058010000067
:00000001FF
//# file: high.srec
S0080000696D616765F4
S30880000000C3909094
S30D8000000301000000000000006E
S705800000007A
//# file: high.ihex
:0200000480007A
:03000000C390901A
:080003000100000000000000F4
:040000058000000077
:00000001FF
