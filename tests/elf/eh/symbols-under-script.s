# Symbols in `.eh_frame` (`__FRAME_END__` and `__EH_FRAME_BEGIN__` of start code) are in the section that
# holds the records, whatever statement of a script takes theirs; behind a terminator is behind the output's.
//# driver: ld
//# variant: none: -static
//# variant: taken: -static -T taken.ld
//# variant: pie: -pie --no-dynamic-linker -T taken.ld
//# variant: orphan: -static -T orphan.ld
//# variant: split: -static -T split.ld
//# link: main.o end.o
//# symbol: begin section=.eh_frame value=section(.eh_frame).address
//# symbol: last section=.eh_frame value=section(.eh_frame).end-4
//# symbol: behind section=.eh_frame value=section(.eh_frame).end
//# @taken,pie symbol: from section=.eh_frame value=section(.eh_frame).address
//# @taken,pie symbol: to section=.eh_frame value=section(.eh_frame).end
//# run: exit=24
//# peers: none
.section .eh_frame,"a",@progbits
.local begin
begin:
.text
.globl _start
_start: .cfi_startproc
  lea behind(%rip), %rdi
  lea last(%rip), %rax
  sub %rax, %rdi
  imul $6, %rdi
  mov $60, %eax
  syscall
  .cfi_endproc
.section .note.GNU-stack,"",@progbits
//# file: end.s
.section .eh_frame,"a",@progbits
.globl last
last: .long 0
.globl behind
behind:
.section .note.GNU-stack,"",@progbits
//# file: taken.ld
SECTIONS { . = 0x10000 + SIZEOF_HEADERS; .text : { *(.text) }
  .eh_frame : { from = .; KEEP(*(.eh_frame)) to = .; } . = ALIGN(0x1000); .data : { *(.data) } }
//# file: orphan.ld
SECTIONS { . = 0x10000 + SIZEOF_HEADERS; .text : { *(.text) } .data : { *(.data) } }
//# file: split.ld
SECTIONS { . = 0x10000 + SIZEOF_HEADERS; .text : { *(.text) }
  .eh_frame : { main.o(.eh_frame) end.o(.eh_frame) } .data : { *(.data) } }
