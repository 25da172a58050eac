// --just-symbols takes addresses from a finished program and none of its bytes.
//# sh: "$LD" b.o -static -Ttext=0x700000 -e function -o other
//# archive: unused.a b.o
//# link: -static --just-symbols=other
//# symbol: function value=0x700000 section=ABS
//# no-symbol: function section=.text
.globl _start
_start: mov $function, %eax
.section .note.GNU-stack,"",@progbits
//# file: b.s
.globl function
function: ret
.section .note.GNU-stack,"",@progbits
