// A call over most of 4 GiB of code finds the island that is near it, wherever it comes from.
// Alignment makes the distances, so that no file has to hold them.
//# variant: fixed: -static
//# variant: pie: -pie --no-dynamic-linker -z text
//# run: exit=42
//# peers:
.macro filler number
.section .text.filler\number,"ax",@progbits
.p2align 29
.globl at\number
at\number: ret
.endm
filler 1
.globl _start
_start:
  xor %edi, %edi
  call near_end           # 21
  call near_end           # 42
  mov $60, %eax
  syscall
filler 2
filler 3
filler 4
filler 5
filler 6
filler 7
.globl near_end
near_end:
  add $20, %edi
  call near_start
  ret
.section .text.filler1
.globl near_start
near_start:
  inc %edi
  call at4
  ret
.section .note.GNU-stack,"",@progbits
