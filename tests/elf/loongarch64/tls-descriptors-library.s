# In a library a descriptor stays, and its address becomes `pcaddi`; so does that of the words for
# __tls_get_addr. A program that imports the variable loads its offset instead.
//# driver: ld
//# variant: library: -shared
//# variant: program: -pie -e f lib.so --dynamic-linker=/lib64/ld.so.1
.macro marked insn:vararg
  \insn
  .reloc .-4, R_LARCH_RELAX
.endm
.globl f
.type f, @function
f:
  marked pcalau12i $a0, %desc_pc_hi20(v)
  marked addi.d $a0, $a0, %desc_pc_lo12(v)
  marked ld.d $ra, $a0, %desc_ld(v)
  marked jirl $ra, $ra, %desc_call(v)
  ret
.size f, . - f
.globl g
g:
  marked pcalau12i $a0, %gd_pc_hi20(w)
  marked addi.d $a0, $a0, %got_pc_lo12(w)
  ret
.size g, . - g
//# file: lib.s
.globl v, w
.type v, @object
.type w, @object
.section .tdata, "awT"
v: .word 1
w: .word 2
//# shared: lib.so lib.o
//# @library link: main.o lib.o
//# @program link: main.o
//# @library reloc: R_LARCH_TLS_DESC64 symbol=v
//# @library reloc: R_LARCH_TLS_DTPMOD64 symbol=w
//# @library reloc: R_LARCH_TLS_DTPREL64 symbol=w
//# @library disasm: f pcaddi \$a0.*\n.*ld.d \$ra, \$a0, 0.*\n.*jirl \$ra, \$ra, 0
//# @program reloc: R_LARCH_TLS_TPREL64 symbol=v
//# @program no-reloc: R_LARCH_TLS_DESC64
//# @program disasm: f pcalau12i \$a0.*\n.*ld.d \$a0, \$a0
//# disasm: g pcaddi \$a0
//# symbol: g size=8
//# peers: none
