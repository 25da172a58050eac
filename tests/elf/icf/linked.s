# Sections linked to a folded one go with it if they are equal; if they are not, nothing is folded.
# References to what went mean what stayed.
//# peers: none
//# link: --icf=all -e first
//# symbol: same value=symbol(first).value
//# symbol: same_note value=symbol(first_note).value
//# symbol: other value!=symbol(first).value
//# section: notes size=32
//# section: .annotations size=16
        .macro function name, word
        .section .text.\name,"ax"
        .globl \name, \name\()_note
\name:  mov $1, %eax
        ret
        .section notes,"awo",@progbits,.text.\name
\name\()_note: .quad \name, \word
        .section .annotations,"o",@progbits,.text.\name
        .quad \name
        .endm
        function first, 1
        function same, 1
        function other, 2
