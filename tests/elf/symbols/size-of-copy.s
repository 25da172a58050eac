// The size of a variable that the program has a copy of is known: no relocation of the loader is
// needed in code.
//# shared: liba.so lib.o
//# link: main.o liba.so
//# no-dynamic: TEXTREL
//# no-reloc: R_X86_64_SIZE32
//# no-warning: TEXTREL
//# reloc: R_X86_64_COPY symbol=var count=1
//# disasm: _start mov \$0x18,%eax
//# peers: ld
.globl _start
_start: movl $var@SIZE, %eax
movl $var, %ebx
ret
.section .note.GNU-stack,"",@progbits
//# file: lib.s
.data
.globl var
.type var,@object
.size var,24
var: .quad 1,2,3
.section .note.GNU-stack,"",@progbits
