# Copies of read-only variables of libraries, alone in .data.rel.ro, have bytes in the file, as with GNU ld: they
# stand amid others that have.
//# driver: ld
//# shared: libtab.so tab.o
//# link: main.o libtab.so -z now -T alone.ld
//# reloc: R_X86_64_COPY symbol=table
//# section: .data.rel.ro type=PROGBITS size=16
//# symbol: table section=.data.rel.ro
//# peers: ld
.globl _start
_start: mov $table, %eax
ret
.section .before,"aw"
.quad 1
.section .behind,"aw"
.quad 2
.section .note.GNU-stack,""
//# file: tab.s
.section .data.rel.ro,"aw"
.globl table
.type table,@object
.size table,16
.balign 16
table: .quad table, table
.section .note.GNU-stack,""
//# file: alone.ld
SECTIONS { . = 0x10000 + SIZEOF_HEADERS; .text : { *(.text) } . = 0x20000;
  .before : { *(.before) } .data.rel.ro : { *(.data.rel.ro) } .behind : { *(.behind) }
  .dynamic : { *(.dynamic) } .got : { *(.got) *(.got.plt) } .data : { *(.data) } .bss : { *(.dynbss) *(.bss) } }
