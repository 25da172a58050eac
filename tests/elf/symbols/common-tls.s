// A common symbol of type TLS is put into .tbss.
//# peers: ld
//# link: -static
//# symbol: counter type=TLS size=8 section=.tbss
//# segment: TLS memsz>=8 align>=8
//# run: exit=0
.globl _start
_start:
  movq $counter@tpoff, %rax
  mov $60, %eax
  xor %edi, %edi
  syscall
.type counter, @object
.tls_common counter, 8, 8
.section .note.GNU-stack,"",@progbits
