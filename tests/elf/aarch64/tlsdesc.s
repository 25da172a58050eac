// A TLS descriptor becomes local exec in a program, initial exec for a library's variable, and stays in a
// library. Each instruction is rewritten by itself, so that others may stand between them.
//# file: lib.s
//# shared: lib.so lib.o
//# variant: le: -static
//# variant: ie: lib.so
//# variant: dynamic: -shared
//# link: main.o
//# @le disasm: _start movz x0, #0x0, lsl #16.*\n.*mov x5, x6\n.*movk x0, #0x10.*\n.*nop\n.*mov x7, x8\n.*nop
//# @ie disasm: _start movz x0, #0x0, lsl #16
//# @ie disasm: import adrp x0, .*\n.*ldr x0, \[x0, #[0-9]+\]\n.*nop\n.*nop
//# @ie reloc: R_AARCH64_TLS_TPREL symbol=imported addend=0
//# @ie no-reloc: R_AARCH64_TLSDESC
//# @dynamic disasm: _start adrp x0, .*\n.*mov x5, x6\n.*ldr x1, \[x0, #[0-9]+\]\n.*add x0, x0, #0x[0-9a-f]+\n.*mov x7, x8\n.*blr x1
//# @dynamic reloc: R_AARCH64_TLSDESC symbol=imported addend=0
//# @dynamic reloc: R_AARCH64_TLSDESC addend=0 count=2
//# @dynamic no-dynamic: FLAGS value~STATIC_TLS
//# peers: none
.section .tdata,"awT",@progbits
.globl imported
.type imported, %object
imported: .xword 5
.size imported, 8
.section .note.GNU-stack,"",@progbits
//# file: main.s
.globl _start
_start:
  adrp x0, :tlsdesc:local
  mov x5, x6
  ldr x1, [x0, #:tlsdesc_lo12:local]
  add x0, x0, #:tlsdesc_lo12:local
  mov x7, x8
  .tlsdesccall local
  blr x1
.size _start, . - _start
.weak imported
import:
  adrp x0, :tlsdesc:imported
  ldr x1, [x0, #:tlsdesc_lo12:imported]
  add x0, x0, #:tlsdesc_lo12:imported
  .tlsdesccall imported
  blr x1
.size import, . - import
.section .tdata,"awT",@progbits
local: .xword 2
.section .note.GNU-stack,"",@progbits
