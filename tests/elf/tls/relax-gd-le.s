// The ABI's general dynamic sequence (R_X86_64_TLSGD) becomes local exec.
//# link: -static
//# disasm: _start mov %fs:0x0,%rax\n.*lea -0x4\(%rax\),%rax
//# run: exit=5
.globl _start
.type _start, @function
_start:
  sub $8, %rsp
  lea block_end(%rip), %rsi # arch_prctl(ARCH_SET_FS, block_end)
  mov %rsi, (%rsi)
  mov $0x1002, %edi
  mov $158, %eax
  syscall
  movl $5, block_end-4(%rip)
  .byte 0x66
  lea value@tlsgd(%rip), %rdi
  .value 0x6666
  rex64
  call __tls_get_addr@PLT
  mov (%rax), %edi
  mov $60, %eax
  syscall
.size _start, . - _start
.data
.balign 64
.zero 64
block_end: .quad 0
.section .tdata,"awT",@progbits
.globl value
value: .long 3
.section .note.GNU-stack,"",@progbits
