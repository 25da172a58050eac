// Each form of the R_X86_64_TLSGD sequence (direct, addr32, indirect, large model) becomes local exec
// in the program that has the variable, and initial exec in one whose library has it (lld lacks the large model).
//# variant: le: -static main.o b.o
//# variant: ie: -pie main.o libx.so
//# shared: libx.so b.o
//# @le peers: ld
//# @ie peers: none
//# @le bytes: symbol(direct).value = 64 48 8b 04 25 00 00 00 00 48 8d 80 f8 ff ff ff
//# @le bytes: symbol(prefixed).value = 64 48 8b 04 25 00 00 00 00 48 8d 80 f8 ff ff ff
//# @le bytes: symbol(indirect).value = 64 48 8b 04 25 00 00 00 00 48 8d 80 f8 ff ff ff
//# @le bytes: symbol(large).value = 64 48 8b 04 25 00 00 00 00 48 8d 80 f8 ff ff ff 66 0f 1f 44 00 00 90
//# @le bytes: symbol(large_15).value = 64 48 8b 04 25 00 00 00 00 48 8d 80 f8 ff ff ff 66 0f 1f 44 00 00 90
//# @ie bytes: symbol(direct).value = 64 48 8b 04 25 00 00 00 00 48 03 05
//# @ie bytes: symbol(prefixed).value = 64 48 8b 04 25 00 00 00 00 48 03 05
//# @ie bytes: symbol(indirect).value = 64 48 8b 04 25 00 00 00 00 48 03 05
//# @ie bytes: symbol(large).value = 64 48 8b 04 25 00 00 00 00 48 03 05 ?? ?? ?? ?? 66 0f 1f 44 00 00 90
//# @ie word32: symbol(large_15).value+12 = section(.got).address-symbol(large_15).value-16
//# @ie reloc: R_X86_64_TPOFF64 symbol=value section=.got count=1
//# no-reloc: R_X86_64_DTPMOD64
.globl _start
_start:
direct:
  .byte 0x66
  lea value@tlsgd(%rip), %rdi
  .byte 0x66, 0x66, 0x48
  call __tls_get_addr@PLT
prefixed:
  .byte 0x66
  lea value@tlsgd(%rip), %rdi
  .byte 0x66, 0x48, 0x67
  call __tls_get_addr
indirect:
  .byte 0x66
  lea value@tlsgd(%rip), %rdi
  .byte 0x66, 0x48
  call *__tls_get_addr@GOTPCREL(%rip)
large:
  lea value@tlsgd(%rip), %rdi
  movabs $__tls_get_addr@PLTOFF, %rax
  add %rbx, %rax
  call *%rax
  nop
large_15:
  lea value@tlsgd(%rip), %rdi
  movabs $__tls_get_addr@PLTOFF, %rax
  add %r15, %rax
  call *%rax
  nop
.section .note.GNU-stack,"",@progbits
//# file: b.s
.section .tdata,"awT",@progbits
.globl value
.type value, @object
.size value, 8
value: .quad 3
.globl __tls_get_addr
.text
__tls_get_addr: ret
.section .note.GNU-stack,"",@progbits
