// What nothing defines and weak references ask for is left to the loader where it is reached through
// GOT and PLT, in programs at fixed addresses too, and words in writable memory with it; code that
// takes the address otherwise gets zero, and so does what else asks for that symbol.
//# link: main.o libx.so
//# shared: libx.so x.o
//# dynsym: nothing bind=WEAK section=UND value=0
//# reloc: R_X86_64_GLOB_DAT symbol=nothing count=1
//# reloc: R_X86_64_JUMP_SLOT symbol=called count=1
//# reloc: R_X86_64_64 symbol=nothing count=1
//# no-reloc: symbol=taken
//# disasm: _start lea -0x[0-9a-f]+\(%rip\),%rdx # 0
//# disasm: _start mov \$0x0,%esi
//# disasm: _start call [1-9a-f]
//# disasm: _start call 0
//# peers:
.globl _start
.weak nothing, called, taken
_start:
  mov nothing@GOTPCREL(%rip), %rdi
  mov $taken, %esi
  lea taken(%rip), %rdx
  call called@PLT
  call taken@PLT
  ret
.data
.globl word
.hidden word
word: .quad nothing
.section .note.GNU-stack,"",@progbits
//# file: x.s
.data
.globl x
x: .quad 0
.section .note.GNU-stack,"",@progbits
