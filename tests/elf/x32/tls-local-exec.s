// TLS sequences of x32 become local exec, with the bytes that GNU ld writes: 32-bit thread pointers,
// no padding in front of a general-dynamic lea, and loads of 32 bits.
//# bytes: symbol(general).value = 64 8b 04 25 00 00 00 00 48 8d 80 f8 ff ff ff
//# bytes: symbol(local).value = 0f 1f 40 00 64 8b 04 25 00 00 00 00
//# bytes: symbol(narrow).value = 40 c7 c0 f8 ff ff ff
//# bytes: symbol(extended).value = 41 c7 c2 fc ff ff ff
//# bytes: symbol(wide).value = 48 8d 80 f8 ff ff ff
//# bytes: symbol(descriptor).value = 40 c7 c0 f8 ff ff ff
.globl _start
_start:
general: leaq x@tlsgd(%rip), %rdi
  .word 0x6666
  rex64
  call __tls_get_addr@PLT
local: leaq x@tlsld(%rip), %rdi
  call __tls_get_addr@PLT
narrow: movl x@gottpoff(%rip), %eax
extended: movl y@gottpoff(%rip), %r10d
wide: addq x@gottpoff(%rip), %rax
descriptor: rex leal x@tlsdesc(%rip), %eax
  call *x@tlscall(%eax)
.globl __tls_get_addr
__tls_get_addr: ret
.section .tdata,"awT",@progbits
x: .long 1
y: .long 2
.section .note.GNU-stack,"",@progbits
