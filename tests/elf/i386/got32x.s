// GOT loads of a symbol of the program (R_386_GOT32X) need no GOT: addresses at fixed ones, distances
// from the GOT in a position-independent program, where arithmetic keeps its word.
//# variant: fixed: -static
//# variant: pie: -static -pie --no-dynamic-linker
//# @fixed bytes: symbol(mov).value = c7 c1
//# @fixed bytes: symbol(test).value = f7 c2
//# @fixed bytes: symbol(sub).value = 81 eb
//# @pie bytes: symbol(mov).value = 8d 8b
//# @pie bytes: symbol(test).value = 85 93
//# @pie bytes: symbol(sub).value = 2b 9b
//# bytes: symbol(call).value = 67 e8
//# bytes: symbol(jmp).value = e9
//# bytes: symbol(jmp).value+5 = 90
//# @fixed word32: symbol(mov).value+2 = symbol(foo).value
.globl _start, foo
_start:
mov: mov foo@GOT(%ebx), %ecx
test: test %edx, foo@GOT(%ebx)
sub: sub foo@GOT(%ebx), %ebx
call: call *foo@GOT(%ebx)
jmp: jmp *foo@GOT(%ebx)
foo: ret
.section .note.GNU-stack,"",@progbits
