// A processor of version 4 has no BX.
//# driver: ld
//# variant: kept:
//# variant: replaced: --fix-v4bx
//# link: -e _start
//# @kept bytes: .text = 1e ff 2f e1
//# @replaced bytes: .text = 0e f0 a0 e1
//# peers: ld
.arch armv4
.globl _start
_start: .inst 0xe12fff1e
.reloc 0, R_ARM_V4BX
