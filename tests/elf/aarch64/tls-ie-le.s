// Initial exec becomes local exec in a program: MOVZ and MOVK, also where another register is loaded than
// that of the page. --no-relax keeps the GOT in a program with a loader.
//# variant: static: -static
//# variant: pie: -pie --no-dynamic-linker
//# variant: shared: -shared
//# @static,pie disasm: _start movz x0, #0x0, lsl #16.*\n.*movk x0, #0x18
//# @static,pie disasm: _start mov x2, #0x18
//# @static,pie no-section: .got
//# @shared disasm: _start adrp x0, .*\n.*ldr x0, \[x0, #[0-9]+\]
//# @shared reloc: R_AARCH64_TLS_TPREL addend=8
//# @shared dynamic: FLAGS value~STATIC_TLS
//# peers: none
.globl _start
_start:
  adrp x0, :gottprel:local
  ldr x0, [x0, #:gottprel_lo12:local]
  adrp x1, :gottprel:local
  ldr x2, [x1, #:gottprel_lo12:local]
.size _start, . - _start
.section .tdata,"awT",@progbits
.xword 1
local: .xword 2
.section .note.GNU-stack,"",@progbits
