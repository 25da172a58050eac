# The unwinder must find the frames and the personality that a function has: functions that differ
# in these are different. Zeros that fill up the last record of a file say nothing.
//# peers: none
//# link: --icf=all --eh-frame-hdr
//# symbol: same value=symbol(plain).value
//# symbol: last value=symbol(plain).value
//# symbol: pushed value!=symbol(plain).value
//# symbol: personal value!=symbol(plain).value
//# symbol: impersonal value!=symbol(personal).value
//# symbol: as_personal value=symbol(personal).value
        .macro function name, pers
        .section .text.\name,"ax"
        .globl \name
\name:
        .cfi_startproc
        .ifnb \pers
        .cfi_personality 0x1b, \pers
        .endif
        nop
        .endm
        .macro end
        nop
        ret
        .cfi_endproc
        .endm
        .text
        .globl _start, pers1, pers2
_start: ret
pers1:  nop
        ret
pers2:  int3
        ret
        function plain
        end
        function same
        end
        function pushed
        .cfi_def_cfa_offset 16
        end
        function personal pers1
        end
        function impersonal pers2
        end
        function as_personal pers1
        end
//# file: other.s
        .section .text.last,"ax"
        .globl last
last:   .cfi_startproc
        nop
        nop
        ret
        .cfi_endproc
