// Maps and lists are the same with any number of threads, with thousands of sections too.
//# driver: ld
//# peers: none
//# archive: libx.a x.o y.o
//# sh: $LD main.o z.o libx.a --gc-sections --icf=all --threads=1 -o one -Map=map1 --cref --print-gc-sections=gc1 --print-icf-sections=icf1 --print-dependencies --why-live='s*' --trace > out1
//# sh: $LD main.o z.o libx.a --gc-sections --icf=all --threads=8 -o one -Map=map8 --cref --print-gc-sections=gc8 --print-icf-sections=icf8 --print-dependencies --why-live='s*' --trace > out8
//# sh: for list in map gc icf out; do test -s ${list}1 && cmp ${list}1 ${list}8 || exit 1; done
//# sh: test $(wc -l < map1) -gt 30000
//# link: main.o z.o libx.a --gc-sections
.macro function prefix n
.section .text.\prefix\n,"ax"
.globl \prefix\n
.type \prefix\n, @function
\prefix\n: call x
.byte 0x90, (\n % 7)
ret
.endm
.macro used n
.section .text._start,"ax"
call s\n
.endm
.section .text._start,"ax"
.globl _start
_start:
.altmacro
.set number, 0
.rept 6000
used %number
function s, %number
function dead, %number
.set number, number + 1
.endr
.section .note.GNU-stack,"",@progbits
//# file: z.s
.globl z
z: ret
//# file: x.s
.globl x
x: call y
ret
//# file: y.s
.globl y
y: ret
