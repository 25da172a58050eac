// Functions of an overlay have the same address. Each has a landing pad of its own, where a call
// that is far needs one.
//# link: -static -z force-bti -T overlay.ld
//# warning: force-bti
//# symbol: __first_veneer section=.text count=1
//# symbol: __second_veneer section=.text count=1
//# symbol: __first_veneer section=.one size=8 count=1
//# symbol: __second_veneer section=.two size=8 count=1
//# symbol: __first_veneer section=.one value=section(.one).address+8
//# symbol: __second_veneer section=.two value=section(.two).address+16
//# disasm: _start .*\n.*bl .* <__first_veneer>\n.*bl .* <__second_veneer>
//# peers:
.globl _start
_start:
  nop
  bl first
  bl second
.section .one, "ax"
.globl first
.type first, %function
first:
  nop
  ret
.section .two, "ax"
.globl second
.type second, %function
second:
  nop
  nop
  ret
.section .note.GNU-stack, "", @progbits
//# file: overlay.ld
SECTIONS {
  .text 0x400000 : { *(.text) }
  OVERLAY 0x20000000 : AT(0x500000) { .one { *(.one) } .two { *(.two) } }
}
