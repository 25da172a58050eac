# A build whose variable for the map is empty links: -Map= is ignored, with a warning.
//# driver: ld
//# link: main.o -Map=
//# warning: no file/directory name provided for map output; ignored
//# peers: ld
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
