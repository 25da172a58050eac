// An FDE of a function that is not loaded describes nothing: it is dropped.
// What refers to a dropped copy of its section refers to the copy that is kept, of another file.
// GNU ld and lld have FDEs of address 0 for it.
//# driver: ld
//# link: main.o other.o -e 0 --eh-frame-hdr
//# variant: none
//# variant: one: start.o
//# @none no-section: .eh_frame size>4
//# @one section: .eh_frame_hdr size=20
//# peers: none
.section .odd,"G",@progbits,group,comdat
f: .cfi_startproc
nop
.cfi_endproc
.data
.byte 1
.section .note.GNU-stack,"",@progbits
//# file: other.s
.section .odd,"G",@progbits,group,comdat
f: .cfi_startproc
nop
.cfi_endproc
.data
.byte 1
.section .note.GNU-stack,"",@progbits
//# file: start.s
.text
f: .cfi_startproc
nop
.cfi_endproc
.section .note.GNU-stack,"",@progbits
