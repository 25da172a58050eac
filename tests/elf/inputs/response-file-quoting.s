// Response files in both ways of quoting: of Unix, where a backslash takes the next byte as it is,
// and of Windows, where it is a byte unless it stands before a quote.
//# driver: ld
//# peers: lld
//# variant: posix: --rsp-quoting=posix @posix.rsp
//# variant: windows: --rsp-quoting=windows @windows.rsp
//# variant: default: @posix.rsp
//# sh: cp main.o 'a b.o'; cp main.o 'c\d.o'
//# archive: unused.a main.o
//# run: exit=9
.include "machine.inc"
.globl _start
_start:
  exit 9
.section .note.GNU-stack,"",@progbits
//# file: posix.rsp
-static 'a b.o' --defsym="x"=1 \--allow-multiple-definition c\\d.o
//# file: windows.rsp
-static "a b.o" --defsym="x"=1 --allow-multiple-definition c\d.o
