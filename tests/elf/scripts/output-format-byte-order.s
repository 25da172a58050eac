# -EL and -EB choose among three names of OUTPUT_FORMAT; without them the first one holds.
//# driver: ld
//# variant: little: -EL -T little.txt
//# variant: big: -EB -T big.txt
//# variant: first: -T first.txt
//# variant: last: -EB -EL -T little.txt
//# variant: refused: -EB -T little.txt
//# @refused expect-error: unknown output format name: elf64-bpfle
//# @little,big,first,last run: exit=3
//# peers: none
.globl _start
_start:
  mov $3, %edi
  mov $60, %eax
  syscall
.section .note.GNU-stack,"",@progbits
//# file: little.txt
OUTPUT_FORMAT("elf64-bpfle", "elf64-bpfle", "elf64-x86-64")
SECTIONS { . = 0x400000 + SIZEOF_HEADERS; .text : { *(.text) } }
//# file: big.txt
OUTPUT_FORMAT("elf64-bpfle", "elf64-x86-64", "elf64-bpfle")
SECTIONS { . = 0x400000 + SIZEOF_HEADERS; .text : { *(.text) } }
//# file: first.txt
OUTPUT_FORMAT("elf64-x86-64", "elf64-bpfle", "elf64-bpfle")
SECTIONS { . = 0x400000 + SIZEOF_HEADERS; .text : { *(.text) } }
