// An .eh_frame that says of itself that it is not loaded is one among the others all the same.
//# file: main.s
//# sh: objcopy --set-section-flags .eh_frame=readonly,data main.o
//# requires: objcopy
//# link: -static --eh-frame-hdr
//# variant: plain: main.o other.o
//# variant: emitted: main.o other.o --emit-relocs
//# section: .eh_frame flags=A
//# section: .eh_frame count=1
//# run: exit=3
//# @emitted section: .rela.eh_frame count=1
.globl _start, other
_start: .cfi_startproc
        call other
        movl %eax, %edi
        movl $60, %eax
        syscall
        .cfi_endproc
//# file: other.s
.globl other
other:  .cfi_startproc
        movl $3, %eax
        ret
        .cfi_endproc
