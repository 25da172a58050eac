// A load from the GOT of a symbol that may be interposed stays.
//# link: -shared
//# disasm: f mov [-0-9a-fx]+\(%rip\),%rax
//# reloc: R_X86_64_GLOB_DAT symbol=foo section=.got count=1
.globl f, foo
.type f, @function
f: mov foo@GOTPCREL(%rip), %rax
  mov foo@GOTPCREL(%rip), %rax
  ret
.size f, . - f
.data
foo: .long 3
.section .note.GNU-stack,"",@progbits
