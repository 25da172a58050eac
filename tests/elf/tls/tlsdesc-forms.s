// R_X86_64_GOTPC32_TLSDESC of any register, R_X86_64_TLSDESC_CALL with and without addr32: in a
// library they stay, with one R_X86_64_TLSDESC; in a program the offset is an immediate, or is
// loaded from the GOT, and the call is a nop (GNU ld knows addr32 in x32 only).
//# variant: le: -static main.o b.o
//# variant: ie: -pie main.o libx.so
//# variant: library: -shared main.o
//# shared: libx.so b.o
//# @le,ie peers: lld
//# @library peers: ld lld
//# @le bytes: symbol(rax).value = 48 c7 c0 f8 ff ff ff
//# @le bytes: symbol(r15).value = 49 c7 c7 f8 ff ff ff
//# @ie bytes: symbol(rax).value = 48 8b 05
//# @ie bytes: symbol(r15).value = 4c 8b 3d
//# @ie word32: symbol(r15).value+3 = section(.got).address-symbol(r15).value-7
//# @le,ie bytes: symbol(call).value = 66 90
//# @ie reloc: R_X86_64_TPOFF64 symbol=value section=.got count=1
//# @library bytes: symbol(r15).value = 4c 8d 3d
//# @library bytes: symbol(call).value = ff 10
//# @library bytes: symbol(prefixed).value = 67 ff 10 90
//# @library reloc: R_X86_64_TLSDESC symbol=value addend=0 count=1
.globl _start
_start:
rax: lea value@tlsdesc(%rip), %rax
call: call *value@tlscall(%rax)
r15: lea value@tlsdesc(%rip), %r15
  mov %r15, %rax
prefixed: call *value@tlscall(%eax)
  nop
.section .note.GNU-stack,"",@progbits
//# file: b.s
.section .tdata,"awT",@progbits
.globl value
.type value, @object
.size value, 8
value: .quad 3
.section .note.GNU-stack,"",@progbits
