// Of options that contradict each other the last counts.
//# link: -static --gc-sections --no-gc-sections -z now -z lazy --build-id=md5 --build-id=none
//# symbol: unused
//# no-note: GNU type=3
.globl _start
_start: ret
.section .text.b,"ax",@progbits
unused: ret
.section .note.GNU-stack,"",@progbits
