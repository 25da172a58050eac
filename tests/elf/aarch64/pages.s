// ADRP, ADR, ADD and loads: R_AARCH64_ADR_PREL_PG_HI21, ADR_PREL_LO21, LD_PREL_LO19, ADD_ABS_LO12_NC and
// LDST8 to LDST128. Fields that hold something else before are overwritten.
//# link: -static --no-relax -Ttext=0x1234000000 -Tdata=0x1234567890
//# disasm: _start adrp x0, 1234567000
//# disasm: _start add x0, x0, #0x890
//# disasm: _start ldrb w1, \[x0, #2192\]
//# disasm: _start ldrh w1, \[x0, #2192\]
//# disasm: _start ldr w1, \[x0, #2192\]
//# disasm: _start ldr x1, \[x0, #2192\]
//# disasm: _start str q1, \[x0, #2192\]
//# disasm: _start adr x2, 1234000000 <_start>
//# disasm: _start ldr x3, 1234000000 <_start>
.globl _start, data
_start:
  adrp x0, data
  add x0, x0, #:lo12:data
  ldrb w1, [x0, #:lo12:data]
  ldrh w1, [x0, #:lo12:data]
  ldr w1, [x0, #:lo12:data]
  ldr x1, [x0, #:lo12:data]
  str q1, [x0, #:lo12:data]
  adr x2, _start
  ldr x3, _start
.size _start, . - _start
.data
.balign 16
data: .xword 0
.section .note.GNU-stack,"",@progbits
