// Local dynamic (R_X86_64_TLSLD, R_X86_64_DTPOFF32) becomes local exec: the block's address is
// that of the thread pointer.
//# link: -static
//# disasm: _start mov %fs:0x0,%rax\n.*lea -0x8\(%rax\),%rcx\n.*lea -0x4\(%rax\),%rdx
.globl _start
.type _start, @function
_start:
  lea a@tlsld(%rip), %rdi
  call __tls_get_addr@PLT
  lea a@dtpoff(%rax), %rcx
  lea b@dtpoff(%rax), %rdx
.size _start, . - _start
.section .tdata,"awT",@progbits
a: .long 3
b: .long 4
.section .note.GNU-stack,"",@progbits
