# A word of an unwind record that the loader relocates is where the record ends up, and words of
# records that are left out are not relocated at all.
//# driver: ld
//# lint-except: relocated-code asked for
//# link: -pie --gc-sections -z notext -e _start
//# reloc: R_X86_64_RELATIVE place>=section(.eh_frame).address place<section(.eh_frame).end count=1
//# peers: none
        .globl  _start
        .section .text.dead,"ax",@progbits
dead:   .cfi_startproc
        .cfi_lsda 0, lsda
        ret
        .cfi_endproc
        .section .text.start,"ax",@progbits
_start: .cfi_startproc
        .cfi_lsda 0, lsda
        ret
        .cfi_endproc
        .section .gcc_except_table,"a",@progbits
lsda:   .byte   0xff, 0xff, 1, 0
