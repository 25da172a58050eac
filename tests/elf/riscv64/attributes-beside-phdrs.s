# A script that lists program headers gets that of the attributes too, once.
//# driver: ld
//# variant: added: -T added.ld
//# variant: listed: -T listed.ld
//# link: main.o
//# check: test $(readelf -lW $OUT | grep -c '^  RISCV_ATTRIBUT') = 1
//# check: readelf -lW $OUT | grep -q 'There are 2 program headers'
//# peers: ld
.globl _start
_start: nop
//# file: added.ld
PHDRS { code PT_LOAD; }
SECTIONS { . = 0x10000; .text : { *(.text) } :code }
//# file: listed.ld
PHDRS { code PT_LOAD; about 0x70000003; }
SECTIONS {
  . = 0x10000;
  .text : { *(.text) } :code
  .riscv.attributes : { *(.riscv.attributes) } :about
}
