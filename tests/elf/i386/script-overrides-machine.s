// OUTPUT_FORMAT in a script overrides `-m`, which compilers always say.
//# link: -m elf_x86_64 -T out.ld
//# bytes: symbol(_start).value = b8 00 7c 00 00
.globl _start
_start:
  mov $_start, %eax
.section .note.GNU-stack,"",@progbits
//# file: out.ld
OUTPUT_FORMAT("elf32-i386")
ENTRY(_start)
SECTIONS
{
  . = 0x7c00;
  .text : { *(.text) }
}
