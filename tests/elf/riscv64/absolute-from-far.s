# Code far from address 0 reaches absolute symbols, and weak ones that nothing defines, by their
# addresses; calls lead to 0.
//# driver: ld
//# variant: relaxed:
//# variant: kept: --no-relax
//# link: -T far.ld
//# disasm: _start lui a0,0x0
//# disasm: _start jalr zero
//# disasm: _start li? a1,4|a1,a1,4
//# symbol: _start value=0x90000000
//# peers: ld
.globl _start
_start:
  lla a0, hook
  lla a1, small
  beqz a0, 1f
  call hook
1: tail hook
.weak hook
//# file: far.ld
ENTRY(_start)
small = ABSOLUTE(4);
SECTIONS { .text 0x90000000 : { *(.text*) } }
