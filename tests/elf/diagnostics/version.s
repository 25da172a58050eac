// --version carries the words that configure scripts look for, and -v goes on linking.
//# sh: "$LD" --version | grep -q 'GNU ld\|LLD'
//# sh: "$LD" --help | grep -q 'supported targets.*elf64-x86-64\|supported targets:.*elf'
//# link: -static -v
//# stdout: GNU ld|LLD
//# run: exit=0
.globl _start
_start:
  mov $60, %eax
  xor %edi, %edi
  syscall
.section .note.GNU-stack,"",@progbits
