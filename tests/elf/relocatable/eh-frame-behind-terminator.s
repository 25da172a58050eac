// Records behind a terminator of an input's .eh_frame are kept where its relocations are.
//# variant: relocatable: -r
//# @relocatable reloc: table=.rela.eh_frame
//# variant: relocations: -q
//# link: --no-eh-frame-hdr
//# section: .eh_frame size>=0x2c
//# peers: ld lld
//# @relocations peers: ld
.section .eh_frame, "a", @unwind
.long 0
.text
.globl _start
_start: .cfi_startproc
ret
.cfi_endproc
.section .note.GNU-stack,"",@progbits
