// The name of the output was forgotten: the object must not be lost.
//# peers: none
//# link: -static main.o -o ./main.o
//# error-text: ld: error: input file main.o is the same as output file
.globl _start
_start: ret
