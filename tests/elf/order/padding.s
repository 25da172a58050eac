// --randomize-section-padding puts gaps between input sections and before segments; a seed gives one
// layout.
//# link: -static --randomize-section-padding=1
//# sh: $LD -static main.o --randomize-section-padding=1 -o same
//# sh: $LD -static main.o --randomize-section-padding=2 -o other
//# sh: $LD -static main.o -o plain
//# check: cmp same $OUT
//# check: ! cmp -s other $OUT
//# section: .text size>0x800
//# symbol: first value>section(.text).address
//# check: test $(nm plain | grep -c ' t ') = $(nm $OUT | grep -c ' t ')
//# peers: lld
.globl _start
.section .text.first,"ax"
first: ret
.macro functions name, rest:vararg
  .section .text.\name,"ax"
  .p2align 6
\name: mov $\@, %eax
  ret
  .ifnb \rest
  functions \rest
  .endif
.endm
functions a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z
.text
_start: ret
.data
.dc.a _start
.section .note.GNU-stack,"",@progbits
