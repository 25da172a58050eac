// An entry of the GOT is that of a thread-local variable. Where the distance from the thread pointer is known, or
// just the module is meant, an addend is no problem.
//# file: general.s
//# variant: gd: -shared general.o
//# variant: ie: -shared initial.o
//# variant: le: -static general.o initial.o
//# variant: ld: -shared local.o
//# link:
//# @gd expect-error: R_AARCH64_TLSGD_ADR_PAGE21.*variable.*addend
//# @gd expect-error: R_AARCH64_TLSGD_ADD_LO12_NC.*variable.*addend
//# @ie expect-error: R_AARCH64_TLSIE_ADR_GOTTPREL_PAGE21.*variable.*addend
//# @ie expect-error: R_AARCH64_TLSIE_LD64_GOTTPREL_LO12_NC.*variable.*addend
//# @le disasm: _start movz x0, #0x0, lsl #16\n.*movk x0, #0x18\n.*mrs x1, tpidr_el0
//# @le disasm: initial movz x0, #0x0, lsl #16\n.*movk x0, #0x14
//# @ld check: set -- $(objdump -d --no-show-raw-insn $OUT | sed -n 's/.*add\tx0, x0, #//p'); test $# = 2 -a $1 = $2
//# peers: none
.globl _start, variable
_start:
  adrp x0, :tlsgd:variable+8
  add x0, x0, #:tlsgd_lo12:variable+8
  bl __tls_get_addr
  nop
.size _start, . - _start
.section .tdata,"awT",@progbits
variable: .xword 1, 2
.section .note.GNU-stack,"",@progbits
//# file: initial.s
.globl initial
initial:
  adrp x0, :gottprel:variable+4
  ldr x0, [x0, #:gottprel_lo12:variable+4]
.size initial, . - initial
.section .note.GNU-stack,"",@progbits
//# file: local.s
.globl both
both:
  adrp x0, :tlsldm:variable
  add x0, x0, #:tlsldm_lo12_nc:variable
  adrp x0, :tlsldm:variable+8
  add x0, x0, #:tlsldm_lo12_nc:variable+8
.size both, . - both
.section .tdata,"awT",@progbits
variable: .xword 1, 2
.section .note.GNU-stack,"",@progbits
