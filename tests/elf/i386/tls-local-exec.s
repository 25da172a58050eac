// Every TLS sequence of both dialects becomes local exec in a program at fixed addresses, with the
// bytes that GNU ld writes. The block of 8 bytes ends at the thread pointer: x is at -8, y at -4.
//# same-as: ld
//# bytes: symbol(sun).value = 81 e8 08 00 00 00
//# bytes: symbol(got).value = 81 c1 f8 ff ff ff
//# bytes: symbol(mov).value = c7 c2 f8 ff ff ff
//# bytes: symbol(address).value = 81 c2 f8 ff ff ff
//# bytes: symbol(short).value = b8 f8 ff ff ff
//# bytes: symbol(negative).value = 81 ee 08 00 00 00
//# bytes: symbol(plain).value = 8d bf f8 ff ff ff
//# bytes: symbol(descriptor).value = 8d 05 fc ff ff ff 66 90
//# bytes: symbol(general).value = 65 a1 00 00 00 00 81 e8 08 00 00 00
//# bytes: symbol(padded).value = 65 a1 00 00 00 00 81 e8 04 00 00 00
//# bytes: symbol(indirect).value = 65 a1 00 00 00 00 81 e8 04 00 00 00
//# bytes: symbol(local).value = 65 a1 00 00 00 00 90 8d 74 26 00
//# bytes: symbol(offset).value = 8d 90 fc ff ff ff
//# bytes: symbol(local_indirect).value = 65 a1 00 00 00 00 8d b6 00 00 00 00
.globl _start
_start:
sun: sub x@gottpoff(%ebx), %eax
got: add x@gotntpoff(%ebx), %ecx
mov: mov x@gotntpoff(%ebx), %edx
address: add x@indntpoff, %edx
short: mov x@indntpoff, %eax
negative: sub $x@tpoff, %esi
plain: lea x@ntpoff(%edi), %edi
descriptor: lea y@tlsdesc(%ebx), %eax
  call *y@tlscall(%eax)
general: lea x@tlsgd(,%ebx,1), %eax
  call ___tls_get_addr@PLT
padded: lea y@tlsgd(%ebx), %eax
  call ___tls_get_addr@PLT
  nop
indirect: lea y@tlsgd(%esi), %eax
  call *___tls_get_addr@GOT(%esi)
local: lea x@tlsldm(%ebx), %eax
  call ___tls_get_addr@PLT
offset: lea y@dtpoff(%eax), %edx
local_indirect: lea x@tlsldm(%edi), %eax
  call *___tls_get_addr@GOT(%edi)
.globl ___tls_get_addr
___tls_get_addr: ret
.section .tdata,"awT",@progbits
x: .long 1
y: .long 2
.section .note.GNU-stack,"",@progbits
