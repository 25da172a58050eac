// What nothing defines and weak references ask for is left to the loader where it is reached through
// GOT and PLT, in programs at fixed addresses too; code that takes the address otherwise gets zero,
// and not the PLT entry.
//# link: main.o libx.so
//# shared: libx.so x.o
//# dynsym: nothing bind=WEAK section=UND value=0
//# reloc: R_X86_64_GLOB_DAT symbol=nothing count=1
//# reloc: R_X86_64_JUMP_SLOT symbol=called count=1
//# no-reloc: R_X86_64_64
//# word64: symbol(word).value = 0
//# disasm: _start lea -0x[0-9a-f]+\(%rip\),%rdx # 0
//# disasm: _start mov \$0x0,%esi
//# no-disasm: _start call 0
//# peers: lld
.globl _start
.weak nothing, called
_start:
  mov nothing@GOTPCREL(%rip), %rdi
  mov $called, %esi
  lea called(%rip), %rdx
  call called@PLT
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
