// A library for another machine is passed over with a note, which --no-warn-search-mismatch stops.
//# file: narrow.asm
.globl value
value:
//# file: wide.asm
.globl value
value = 7
//# file: main.s
.globl _start
_start:
  mov $value, %edi
  mov $60, %eax
  syscall
.section .note.GNU-stack,"",@progbits
//# sh: mkdir first second
//# sh: as --32 -o narrow.o narrow.asm; as -o wide.o wide.asm
//# sh: ar rc first/libv.a narrow.o; ar rc second/libv.a wide.o
//# variant: told:
//# variant: quiet: --no-warn-search-mismatch
//# link: -static main.o -Lfirst -Lsecond -lv
//# peers: ld
//# @told warning: skipping incompatible first/libv.a when searching for -lv
//# @quiet no-warning: skipping
//# run: exit=7
