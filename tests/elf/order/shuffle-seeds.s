// A seed gives one order, another seed another one, and no seed a new one each time.
//# link: -static --shuffle-sections=1
//# sh: $LD -static main.o --shuffle-sections=1 -o same
//# sh: $LD -static main.o --shuffle-sections=2 -o other
//# sh: $LD -static main.o --shuffle-sections -o drawn1
//# sh: $LD -static main.o --shuffle-sections -o drawn2
//# sh: $LD -static main.o --shuffle-sections=*=0 -o drawn3
//# check: cmp same $OUT
//# check: ! cmp -s other $OUT
//# check: ! cmp -s drawn1 drawn2
//# check: ! cmp -s drawn1 drawn3
//# peers:
.globl _start
.text
_start: ret
.macro functions name, rest:vararg
  .section .text.\name,"ax"
\name: mov $\@, %eax
  ret
  .ifnb \rest
  functions \rest
  .endif
.endm
functions a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z
.section .note.GNU-stack,"",@progbits
