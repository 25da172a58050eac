// A finished program is no input.
//# relocatable: x.o b.o
//# sh: "$LD" main.o -static -o prog
//# link: main.o -static prog
//# expect-error: prog
//# peers: lld
.globl _start
_start: ret
//# file: b.s
ret
