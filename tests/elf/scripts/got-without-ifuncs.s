# .igot.plt and .iplt take what belongs to IFUNCs alone: a script that wants none of it, as kernels' do,
# is not concerned with other words of the GOT.
//# driver: ld
//# variant: asserted: -T asserted.ld
//# variant: discarded: -T discarded.ld
//# link: main.o
//# section: .got size>=8
//# lint-except: writable-code one segment
//# peers: ld lld
.globl _start
_start: push foo@GOTPCREL(%rip)
.data
foo: .quad 1
.section .note.GNU-stack,"",@progbits
//# file: asserted.ld
SECTIONS { . = 0x10000; .text : { *(.text) } .data : { *(.data) }
  .plt : { *(.plt) *(.plt.*) *(.iplt) *(.igot .igot.plt) } ASSERT(SIZEOF(.plt) == 0, "PLT") }
//# file: discarded.ld
SECTIONS { . = 0x10000; .text : { *(.text) } .data : { *(.data) }
  /DISCARD/ : { *(.plt) *(.iplt) *(.igot .igot.plt) } }
