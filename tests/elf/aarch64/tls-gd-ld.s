// The traditional dialect: general dynamic becomes local or initial exec, local dynamic local exec. A
// sequence that is not whole keeps the GOT, which the linker fills.
//# file: lib.s
//# shared: lib.so lib.o
//# variant: static: -static
//# variant: program: lib.so -z norelro
//# variant: shared: -shared
//# link: main.o
//# @static,program disasm: general movz x0, #0x0, lsl #16.*\n.*movk x0, #0x10\n.*mrs x1, tpidr_el0\n.*add x0, x1, x0
//# @static,program disasm: local mrs x0, tpidr_el0\n.*add x0, x0, #0x10\n.*nop\n.*nop\n.*add x1, x0, #0x0
//# @program disasm: foreign adrp x0, .*\n.*ldr x0, \[x0, #[0-9]+\]\n.*mrs x1, tpidr_el0\n.*add x0, x1, x0
//# @program reloc: R_AARCH64_TLS_TPREL symbol=imported
//# disasm: apart adrp x0, .*\n.*nop\n.*add x0, x0
//# @shared disasm: general adrp x0, .*\n.*add x0, x0, .*\n.*bl
//# @shared reloc: R_AARCH64_TLS_DTPMOD symbol=imported
//# @shared reloc: R_AARCH64_TLS_DTPREL symbol=imported
//# @shared reloc: R_AARCH64_TLS_DTPMOD count=3
//# peers: none
.section .tdata,"awT",@progbits
.globl imported
.type imported, %object
imported: .xword 5
.size imported, 8
.globl __tls_get_addr
.section .text
.type __tls_get_addr, %function
__tls_get_addr: ret
.section .note.GNU-stack,"",@progbits
//# file: main.s
.globl _start
_start: ret
general:
  adrp x0, :tlsgd:variable
  add x0, x0, #:tlsgd_lo12:variable
  bl __tls_get_addr
  nop
.size general, . - general
local:
  adrp x0, :tlsldm:variable
  add x0, x0, #:tlsldm_lo12_nc:variable
  bl __tls_get_addr
  nop
  add x1, x0, #:dtprel_lo12:variable
.size local, . - local
.weak imported
foreign:
  adrp x0, :tlsgd:imported
  add x0, x0, #:tlsgd_lo12:imported
  bl __tls_get_addr
  nop
.size foreign, . - foreign
apart:
  adrp x0, :tlsgd:variable
  nop
  add x0, x0, #:tlsgd_lo12:variable
  bl resolver
  nop
.size apart, . - apart
.globl resolver
resolver: ret
.weak __tls_get_addr
.section .tdata,"awT",@progbits
variable: .xword 2
.section .note.GNU-stack,"",@progbits
