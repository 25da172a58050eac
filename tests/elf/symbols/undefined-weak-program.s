// A program with libraries leaves an undefined weak symbol to the loader, at any address or not:
// what it calls and what it loads from the GOT. An address in code is zero.
//# shared: libx.so x.o -soname=libx.so
//# variant: fixed: main.o libx.so
//# variant: pie: -pie --dynamic-linker=/nothing pie.o libx.so
//# reloc: R_X86_64_GLOB_DAT symbol=loaded
//# reloc: R_X86_64_JUMP_SLOT symbol=called
//# dynsym: loaded bind=WEAK section=UND
//# symbol: called bind=WEAK section=UND
//# @fixed disasm: _start mov \$0x0,%eax
//# peers: ld lld
.globl _start
.weak loaded, called, taken
_start: movq loaded@GOTPCREL(%rip), %rax
call called@PLT
movl $taken, %eax
.section .note.GNU-stack,"",@progbits
//# file: pie.s
.globl _start
.weak loaded, called
_start: movq loaded@GOTPCREL(%rip), %rax
call called@PLT
.section .note.GNU-stack,"",@progbits
//# file: x.s
.data
.globl x
x: .quad 0
.section .note.GNU-stack,"",@progbits
