# Small data is reached from registers, whose values are 32 KiB behind the start of its sections.
//# driver: ld
//# variant: default: main.o zero.o
//# variant: out-of-range: main.o far.o
//# link: -e _start
//# @default run: exit=42
//# @out-of-range expect-error: relocation R_PPC_EMB_SDA21 out of range|relocation truncated to fit
//# peers: ld
.globl _start
_start:
  lis 13,_SDA_BASE_@ha
  addi 13,13,_SDA_BASE_@l
  lis 2,_SDA2_BASE_@ha
  addi 2,2,_SDA2_BASE_@l
  lwz 3,initialized@sda21(0)
  lwz 4,constant@sda21(0)
  add 3,3,4
  lwz 5,second@sdarel(13)
  add 3,3,5
  lwz 6,constant2@sda2rel(2)
  add 3,3,6
  lwz 7,zero@sda21(0)
  add 3,3,7
  li 0,1
  sc
.section .sdata,"aw"
initialized: .long 20
second: .long 12
.section .sdata2,"a"
constant: .long 7
constant2: .long 3
//# file: zero.s
.section .sbss,"aw",@nobits
.globl zero
zero: .skip 4
//# file: far.s
.section .sbss,"aw",@nobits
.skip 0x10000
.globl zero
zero: .skip 4
