// A reference to a local symbol of a copy that is not kept would mean nothing in the output of -r: lld
// warns of it, GNU ld fails. Debug information and unwind tables are made for that.
//# variant: code: -r main.o code.o
//# variant: others: -r main.o debug.o
//# variant: linkonce: -r once.o once-too.o
//# @code warning: relocation refers to a (symbol in a )?discarded section: .text.f
//# @code warning: code.o
//# @others no-warning: discarded
//# @linkonce warning: discarded section: .gnu.linkonce.t.g
//# @code,others peers: lld
//# @linkonce peers: none
.macro group
.section .text.f,"axG",@progbits,f,comdat
.weak f
.type f, @function
f: .cfi_startproc
  nop
.Linside: ret
  .cfi_endproc
.endm
group
.section .note.GNU-stack,"",@progbits
//# file: code.s
.macro group
.section .text.f,"axG",@progbits,f,comdat
.weak f
.type f, @function
f: nop
.Linside: ret
.endm
group
.text
call .Linside
.section .note.GNU-stack,"",@progbits
//# file: debug.s
.section .text.f,"axG",@progbits,f,comdat
.weak f
.type f, @function
f: .cfi_startproc
  nop
.Linside: ret
  .cfi_endproc
.section .debug_x,"",@progbits
.quad .Linside
.section .note.GNU-stack,"",@progbits
//# file: once.s
.section .gnu.linkonce.t.g,"ax",@progbits
.weak g
g: nop
.section .note.GNU-stack,"",@progbits
//# file: once-too.s
.section .gnu.linkonce.t.g,"ax",@progbits
.weak g
g: nop
.Lthere: ret
.text
call .Lthere
.section .note.GNU-stack,"",@progbits
