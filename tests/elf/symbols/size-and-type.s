// Size and type of symbols are kept.
//# link: -shared
//# dynsym: f type=FUNC size=3
//# dynsym: d type=OBJECT size=8
//# dynsym: n type=NOTYPE size=0
.globl f, d, n
.type f, @function
f: nop
  nop
  ret
.size f, 3
.data
.type d, @object
d: .quad 1
.size d, 8
n: .byte 0
.section .note.GNU-stack,"",@progbits
