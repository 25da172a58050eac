// The build id of an output of -r is not kept beside the program's, nor where there is none.
//# variant: own: --build-id=0x0badcafe
//# variant: none: --build-id=none
//# relocatable: joined.o main.o --build-id=0x11111111
//# link: joined.o -static
//# @own note: GNU type=3 desc=0badcafe count=1
//# @own note: GNU type=3 count=1
//# @none no-note: GNU type=3
//# peers: lld
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
