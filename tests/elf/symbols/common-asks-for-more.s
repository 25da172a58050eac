// A library's variable is the definition of a common symbol that is larger and more aligned than it: the
// copy in the program has room for both, as the code of the program expects.
//# variant: fixed: -no-pie
//# variant: pie: -pie
//# variant: table: -pie | -Wa,--defsym,BY_TABLE=1
//# shared: libx.so lib.o
//# link: ./libx.so -Wl,-rpath,.
//# run:
//# symbol: x size=64 value~0$
//# dynsym: x size=64
//# driver: gcc
//# peers: lld
.globl main
.comm x, 64, 64
.text
main:
.ifdef BY_TABLE
  mov x@GOTPCREL(%rip), %rax
.else
  lea x(%rip), %rax
.endif
  movaps (%rax), %xmm0
  movaps %xmm0, 16(%rax)
  movl $5, 48(%rax)
  mov (%rax), %ecx
.ifdef BY_TABLE
  mov x@GOTPCREL(%rip), %rax
.else
  lea x(%rip), %rax
.endif
  and $63, %eax
  cmpl $3, y(%rip)
  je 1f
  inc %eax
1: cmpl $7, %ecx
  je 2f
  inc %eax
2: ret
.section .note.GNU-stack,"",@progbits
//# file: lib.s
.data
.globl x, y
.byte 1
.p2align 2
x: .fill 4, 4, 7
.type x, @object
.size x, 16
.p2align 2
y: .long 3
.type y, @object
.size y, 4
.section .note.GNU-stack,"",@progbits
