# A weak symbol that nothing defines is at zero, through the GOT and for calls that are not made.
//# driver: ld
//# variant: fixed:
//# variant: pie: -pie --no-dynamic-linker
//# link: -e _start
//# run: exit=5
//# peers: ld
.globl _start
.weak nowhere
.hidden nowhere
_start:
  lghi %r2,5
  lgrl %r1,nowhere@GOTENT
  ltgr %r1,%r1
  je 1f
  brasl %r14,nowhere@PLT
  lghi %r2,1
1: svc 1
