// Control runs from one piece of code into the next through what a script aligns, whatever the section is
// called.
//# driver: gcc
//# link: main.o last.o -nostdlib -static -Wl,-z,noseparate-code -Wl,-T,script.ld -Wl,--build-id=none
//# run: exit=42
//# same-as: ld
//# peers: ld
//# lint-except: rodata-in-code a script of one segment
.globl _start
.section .boot.a, "ax"
_start:
  movl $40, %edi
.section .boot.b, "ax"
.balign 64
  incl %edi
.section .note.GNU-stack,"",@progbits
//# file: last.s
.section .boot.b, "ax"
.balign 32
  incl %edi
  movl $60, %eax
  syscall
.section .note.GNU-stack,"",@progbits
//# file: script.ld
ENTRY(_start)
SECTIONS {
  . = 0x400000 + SIZEOF_HEADERS;
  .boot : { *(.boot.a) *(.boot.b) }
}
