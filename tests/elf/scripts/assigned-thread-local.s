# An alias of a thread-local variable is one: other modules find it through the thread pointer. Its
# address is that of the template, for whoever asks for the address.
//# driver: ld
//# shared: lib.so lib.o alias.ld
//# variant: script: main.o alias.ld
//# variant: plain: plain.o main.o alias.ld
//# variant: option: main.o --defsym alias=own --defsym behind=own+8 --defsym far=own-own
//# variant: library: use.o lib.so
//# variant: imported: user.so main.o alias.ld
//# shared: user.so use.o
//# archive: unused.a main.o use.o plain.o
//# @script,option,imported,plain symbol: alias type=TLS value=8 section=.tdata size=0
//# @script,option,imported symbol: behind type=TLS value=16
//# @script symbol: far section=ABS type=NOTYPE
//# @script,option,imported word64: section(.data).address = 0xfffffffffffffff0
//# @plain word64: symbol(at).value = section(.tdata).address+8
//# @imported dynsym: alias type=TLS value=8
//# @library reloc: R_X86_64_TPOFF64 symbol=alias
//# @library look-at: lib.so
//# @library dynsym: alias type=TLS value=8 section=.tdata
//# peers: none
.globl _start
_start: mov %fs:behind@tpoff, %eax
.data
.quad alias@tpoff
.section .tdata,"awT",@progbits
.quad 1
.globl own
.type own,@object
.size own,8
own: .quad 2, 3
.section .note.GNU-stack,""
//# file: plain.s
.data
.globl at
at: .quad alias
.section .note.GNU-stack,""
//# file: lib.s
.section .tdata,"awT",@progbits
.quad 1
.globl own
own: .quad 2, 3
.section .note.GNU-stack,""
//# file: use.s
.globl use
.globl _start
_start:
use: mov alias@gottpoff(%rip), %rax
.section .note.GNU-stack,""
//# file: alias.ld
alias = own; behind = own + 8; far = ABSOLUTE(own);
