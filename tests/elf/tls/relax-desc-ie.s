// A TLS descriptor (R_X86_64_GOTPC32_TLSDESC, R_X86_64_TLSDESC_CALL) of another module's variable
// becomes initial exec in a program.
//# driver: ld
//# shared: libx.so b.o
//# link: main.o -pie libx.so
//# disasm: _start mov [-0-9a-fx]+\(%rip\),%rax
//# reloc: R_X86_64_TPOFF64 symbol=value count=1
.globl _start
.type _start, @function
_start:
  lea value@tlsdesc(%rip), %rax
  call *value@tlscall(%rax)
.size _start, . - _start
.section .note.GNU-stack,"",@progbits
//# file: b.s
.section .tdata,"awT",@progbits
.globl value
.type value, @object
.size value, 8
value: .quad 3
.section .note.GNU-stack,"",@progbits
