| Each core has its own PLT, by the flags of the objects.
//# driver: ld
//# variant: m68020: | -m68020
//# variant: cpu32: | -mcpu32
//# variant: isab: | -mcpu=5475
//# variant: isac: | -mcpu=54455
//# compile: -mpcrel
//# shared: libf.so f.o
//# link: main.o libf.so -e _start
//# @m68020 disasm: * jmp %pc@.*@\(0\)
//# @cpu32 disasm: * moveal %pc@.*,%a1
//# @isab disasm: * movel %pc@.*,%sp@-
//# @isac disasm: * movel %pc@.*,%sp@$
//# peers: ld
.globl _start
_start:
  .2byte 0x4eb9
  .4byte f
  rts
//# file: f.s
.globl f
.type f, @function
f: rts
