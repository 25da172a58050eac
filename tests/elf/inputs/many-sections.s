// More than 65,279 sections: section numbers no longer fit in 16 bits.
//# link: -static
//# run: exit=9
.altmacro
.macro section number
.section .text.f\number,"ax",@progbits
ret
.endm
.set i, 0
.rept 66000
section %i
.set i, i + 1
.endr
.section .text.last,"ax",@progbits
.globl _start
_start:
  mov $60, %eax
  mov $9, %edi
  syscall
.section .note.GNU-stack,"",@progbits
