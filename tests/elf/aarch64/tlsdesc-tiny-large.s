// Descriptors of the tiny and the large code model become local exec, too.
//# link: -static
//# disasm: _start movz x0, #0x0, lsl #16.*\n.*movk x0, #0x10\n.*nop
//# disasm: large movz x0, #0x0, lsl #16.*\n.*movk x0, #0x10\n.*nop\n.*nop\n.*nop
//# no-section: .got
//# peers: none
.globl _start, large
_start:
  ldr x1, :tlsdesc:local
  adr x0, :tlsdesc:local
  .tlsdesccall local
  blr x1
.size _start, . - _start
large:
  movz x0, #:tlsdesc_off_g1:local
  movk x0, #:tlsdesc_off_g0_nc:local
  .tlsdescldr local
  ldr x1, [x2, x0]
  .tlsdescadd local
  add x0, x2, x0
  .tlsdesccall local
  blr x1
.size large, . - large
.section .tdata,"awT",@progbits
local: .xword 2
.section .note.GNU-stack,"",@progbits
