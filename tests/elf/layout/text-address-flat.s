// A flat image of a boot sector: code, then its read-only data, then its data, from the first byte on.
//# link: -static -N -Ttext 0x7c00 --oformat binary
//# peers: ld
//# check: test "$(od -An -tx1 -v $OUT | tr -d ' \n')" = 8b0501000000c301020304
.globl _start
_start:
  mov one(%rip), %eax
  ret
.section .rodata
one: .byte 1, 2
.data
  .byte 3, 4
.section .note.GNU-stack,"",@progbits
