// The distance between two places, and a number that is chosen, move with nothing.
//# peers: ld lld
//# link: -pie --no-dynamic-linker --defsym=length=after-before --defsym=chosen=1?4:_start
//# symbol: length section=ABS value=24
//# symbol: chosen section=ABS value=4
//# no-reloc: R_X86_64_RELATIVE
.globl _start, before, after
_start: ret
.data
before: .quad length
.quad chosen
.quad 0
after:
