# With -r, too, sections without bytes stand as zeros among those with bytes.
//# driver: ld
//# link: main.o -r -T layout.ld
//# section: .all type=PROGBITS size=12
//# bytes: .all = 01 00 00 00 00 00 00 00 02 00 00 00
//# section: .template type=PROGBITS size=8
//# peers: ld
.globl _start
_start: ret
.data
.long 1
.section .more,"aw"
.long 2
.bss
.zero 4
.section .tdata,"awT",@progbits
.long 3
.section .tbss,"awT",@nobits
.zero 4
//# file: layout.ld
SECTIONS {
  .text : { *(.text) }
  .all : { *(.data) *(.bss) *(.more) }
  .template : { *(.tdata .tbss) }
}
