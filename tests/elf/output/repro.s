// --repro: the archive is beside the output, and gives the same output elsewhere.
//# peers: none
//# requires: tar cmp
//# link: -static --repro
//# check: rm -rf out.repro other && mkdir other && cd other && tar -xf ../out.repro.tar && cd out.repro && "$LD" @response.txt && find .. -name out -type f | xargs cmp ../../out
.globl _start
_start: nop
.section .note.GNU-stack,"",@progbits
