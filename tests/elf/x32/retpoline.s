// -z retpolineplt: entries load a word of the GOT, which has 8 bytes, and return to it.
//# file: lib.s
//# shared: lib.so lib.o
//# variant: lazy: -z lazy
//# variant: now: -z now
//# link: main.o lib.so -pie -z retpolineplt
//# @lazy bytes: section(.plt).address+16 = 00 00 f3 90 0f ae e8 eb f9
//# @lazy bytes: section(.plt).address+32 = 4c 89 1c 24 c3
//# @lazy bytes: section(.plt).address+55 = e8 e4 ff ff ff e9 d1 ff ff ff 68 00 00 00 00 e9
//# @now bytes: section(.plt).address = e8 0b 00 00 00 f3 90 0f ae e8 eb f9
//# @now bytes: section(.plt).address+16 = 4c 89 1c 24 c3
//# peers: none
.globl f
.type f, @function
f: ret
.section .note.GNU-stack,"",@progbits
//# file: main.s
.globl _start
_start: call f@PLT
  ret
.section .note.GNU-stack,"",@progbits
