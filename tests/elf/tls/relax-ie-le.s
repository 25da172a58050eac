// Initial exec loads and additions (R_X86_64_GOTTPOFF) become local exec, for every register.
//# link: -static
//# disasm: _start mov \$0xfffffffffffffff8,%rax
//# disasm: _start mov \$0xfffffffffffffff8,%r12
//# disasm: _start (lea -0x8\(%rcx\),%rcx|add \$0xfffffffffffffff8,%rcx)
//# disasm: _start (lea -0x8\(%r13\),%r13|add \$0xfffffffffffffff8,%r13)
//# disasm: _start (add \$0xfffffffffffffff8,%rsp|lea -0x8\(%rsp\),%rsp)
//# disasm: _start (add \$0xfffffffffffffff8,%r12|lea -0x8\(%r12\),%r12)
//# no-disasm: _start rip
.globl _start
.type _start, @function
_start:
  mov value@gottpoff(%rip), %rax
  mov value@gottpoff(%rip), %r12
  add value@gottpoff(%rip), %rcx
  add value@gottpoff(%rip), %r13
  add value@gottpoff(%rip), %rsp
  add value@gottpoff(%rip), %r12
.size _start, . - _start
.section .tdata,"awT",@progbits
.globl value
value: .quad 3
.section .note.GNU-stack,"",@progbits
