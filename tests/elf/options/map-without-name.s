# A build whose variable for the map is empty links: -Map= is ignored, with a warning,
# unless a name follows.
//# driver: ld
//# variant: alone: main.o -Map=
//# variant: first: main.o -Map= -Map=named
//# @first no-warning: .
//# @first file-matches: named _start
//# @alone warning: no file/directory name provided for map output; ignored
//# peers: ld
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
