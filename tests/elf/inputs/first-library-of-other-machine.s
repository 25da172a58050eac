// Where libraries alone say which machine is linked for, those for other machines decide nothing: the
// search passes over them. An archive that is named does, by its first member.
//# driver: ld
//# sh: mkdir first second; as --32 -o narrow.o narrow.asm
//# sh: ar rc first/libv.a narrow.o; ar rc second/libv.a main.o
//# link: -static
//# variant: library: -Lfirst -Lsecond -u _start -lv
//# variant: file: -Lfirst -Lsecond -u _start -l:libv.a
//# variant: named: first/libv.a
//# @library,file peers: none
//# @library,file warning: skipping incompatible first/libv.a
//# @library,file run: exit=7
//# @named expect-error: first/libv\.a: is a 32-bit little-endian ELF file for i386, which -m has no emulation for
.globl _start
_start:
  mov $7, %edi
  mov $60, %eax
  syscall
.section .note.GNU-stack,"",@progbits
//# file: narrow.asm
.globl _start
_start:
