// An address above 64 KiB does not fit R_386_16, nor a distance R_386_PC8.
//# link: -Ttext=0x10000 --defsym=distant=0x20000
//# expect-error: R_386_16 out of range: 65536 is not in \[-32768, 65535\]
//# expect-error: R_386_PC8 out of range
.code16
.globl _start
_start:
  mov $_start, %ax
  .byte 0xeb
  .byte distant - . - 1
.section .note.GNU-stack,"",@progbits
