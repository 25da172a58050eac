# The flags of the output are those of objects with code: one that has data alone goes with any.
//# driver: ld
//# compile: -mabi=lp64d
.globl _start
_start: ret
//# file: other.s -mabi=lp64s
.data
.word 1
//# link: -e _start
//# header: flags=0x43
//# peers: lld
