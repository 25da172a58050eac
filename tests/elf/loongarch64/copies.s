# A program copies a library's variable that it reaches directly, and gives a function of the library
# an address; a library cannot.
//# driver: ld
//# shared: lib.so lib.o
//# link: main.o lib.so -e _start --dynamic-linker=/lib64/ld.so.1
//# reloc: R_LARCH_COPY symbol=v
//# reloc: R_LARCH_JUMP_SLOT symbol=f
//# peers: lld
.globl _start
_start:
  la.pcrel $a0, v
  la.pcrel $a1, f
  pcalau12i $ra, %pc_hi20(f)
  jirl $ra, $ra, %pc_lo12(f)
//# file: lib.s
.globl v, f
.type v, @object
.type f, @function
.size v, 4
.text
f: ret
.data
v: .word 1
