# A load from the GOT by one long instruction becomes a sum for a symbol of this output.
//# driver: ld
//# variant: relaxed:
//# variant: kept: --no-relax
//# compile: -Wa,-mpower10
//# link: -e _start
//# @relaxed disasm: _start pla|paddi
//# @kept disasm: _start pld
//# run: exit=42 env=QEMU_CPU=power10
//# peers: ld
.abiversion 2
.machine power10
.globl _start
_start:
  .localentry _start,1
  pld 3,value@got@pcrel
  lwz 3,0(3)
  li 0,1
  sc
.data
value: .long 42
