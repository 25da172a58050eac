// What is in a section that is for the linker's eyes only cannot be called.
//# peers: none
//# link: -static
//# error-text: ld: error: relocation refers to a symbol in a discarded section: helper
//# error-text: >>> defined in helper.o
//# error-text: >>> referenced by main.o:(_start)
.include "machine.inc"
.globl _start
_start: calls helper
//# file: helper.s
.section .helper,"axe"
.globl helper
helper: ret
