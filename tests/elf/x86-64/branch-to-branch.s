// A branch to a jump goes where the jump goes in the end; jumps in a circle are left alone.
//# driver: ld
//# peers: none
//# variant: on: --branch-to-branch
//# @on disasm: _start call [0-9a-f]+ <last>
//# @on disasm: _start je [0-9a-f]+ <last>
//# @on disasm: _start call [0-9a-f]+ <padded_last>
//# @on disasm: _start jmp [0-9a-f]+ <other_start>
//# variant: off: --no-branch-to-branch
//# @off disasm: _start call [0-9a-f]+ <first>
//# variant: shared: -shared --branch-to-branch
//# @shared no-disasm: _start call [0-9a-f]+ <last>
//# variant: symbolic: -shared -Bsymbolic --branch-to-branch
//# @symbolic disasm: _start call [0-9a-f]+ <last>
//# @on,off run: exit=42
.section .text.a,"ax"
.globl _start, first, second, last, padded, round, about
_start:
movl $1, %eax
call first
test %eax, %eax
je first
call padded
jmp other_start
.section .text.b,"ax"
first: jmp second
.section .text.c,"ax"
second: jmp last
.section .text.d,"ax"
last: movl $40, %edi
ret
.section .text.e,"ax"
padded: endbr64
jmp padded_last
.section .text.f,"ax"
padded_last: addl $2, %edi
ret
.section .text.g,"ax"
round: jmp about
.section .text.h,"ax"
about: jmp round
.section .text.i,"ax"
other_start: movl $60, %eax
syscall
call round
