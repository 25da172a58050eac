// --print-memory-usage: sizes are in the greatest unit that they are multiples of, in GNU ld's columns.
//# machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# link: -T script.t --print-memory-usage -o out main.o
//# stdout: ^Memory region         Used Size  Region Size  %age Used$
//# stdout: ^             ROM:         101 B        64 KB      0\.15%$
//# stdout: ^             RAM:          4 KB         2 MB      0\.20%$
//# stdout: ^A_REGION_OF_A_LONG_NAME:     1048580 B         1 GB      0\.10%$
//# stdout: ^             ODD:           4 B       1000 B      0\.40%$
//# peers: ld lld
        .globl  _start
_start: ret
//# file: script.t
MEMORY {
  ROM (rx) : ORIGIN = 0x1000, LENGTH = 64K
  RAM (rw) : ORIGIN = 0x100000, LENGTH = 2M
  A_REGION_OF_A_LONG_NAME (rw) : ORIGIN = 0x1000000, LENGTH = 1024M
  ODD (rw) : ORIGIN = 0x80000000, LENGTH = 1000
}
SECTIONS {
  .text : { *(.text) . += 100; } > ROM
  .data : { . += 4K; } > RAM
  .large : { LONG(1); . += 1M; } > A_REGION_OF_A_LONG_NAME
  .odd : { LONG(1); } > ODD
}
