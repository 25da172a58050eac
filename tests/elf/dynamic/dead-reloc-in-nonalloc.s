// -z dead-reloc-in-nonalloc: what debug sections hold in place of what is not in the output; the
// last pattern that matches holds.
//# variant: default:
//# variant: named: -z dead-reloc-in-nonalloc=.debug_*=0xffffffffffffffff
//# variant: last: -z dead-reloc-in-nonalloc=*=7 -z dead-reloc-in-nonalloc=.debug_x=9
//# variant: wrong: -z dead-reloc-in-nonalloc=x
//# link: --gc-sections
//# @default bytes: .debug_x = 00 00 00 00 00 00 00 00 00 00 00 00
//# @named bytes: .debug_x = ff ff ff ff ff ff ff ff ff ff ff ff
//# @last bytes: .debug_x = 09 00 00 00 00 00 00 00 09 00 00 00
//# @last bytes: .debug_loc = 07 00 00 00 00 00 00 00
//# @default bytes: .debug_loc = 01 00 00 00 00 00 00 00
//# @wrong expect-error: dead-reloc-in-nonalloc: bad value 'x'
//# peers:
.section .text.dead,"ax",@progbits
.globl dead
dead: ret
.text
.globl _start
_start: ret
.section .debug_x,"",@progbits
.dc.a dead
.long dead
.dc.a _start
.section .debug_loc,"",@progbits
.dc.a dead
