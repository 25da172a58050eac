# A number of threads that no machine has is as good as many.
//# driver: ld
//# link: -static --threads=1000000
//# run: exit=3
//# peers: none
.include "machine.inc"
        .globl  _start
_start: exit 3
