# --emit-relocs has the relocations of what was written: branches for calls, `pcaddi` for pairs, and
# none for what is gone.
//# driver: ld
//# link: -e _start --emit-relocs
//# reloc: R_LARCH_B26 symbol=f
//# reloc: R_LARCH_PCREL20_S2 symbol=here
//# reloc: R_LARCH_PCALA_HI20 symbol=there
//# reloc: R_LARCH_PCALA_LO12 symbol=there
//# reloc: R_LARCH_TLS_LE_LO12 symbol=v
//# no-reloc: R_LARCH_CALL36
//# no-reloc: R_LARCH_GOT_PC_HI20
//# no-reloc: R_LARCH_TLS_IE_PC_HI20
//# no-reloc: R_LARCH_TLS_DESC_CALL
//# no-reloc: R_LARCH_TLS_LE_HI20
//# peers: none
.macro marked insn:vararg
  \insn
  .reloc .-4, R_LARCH_RELAX
.endm
.globl _start, f, here, there, v
_start:
  marked pcaddu18i $ra, %call36(f)
  jirl $ra, $ra, 0
  marked pcalau12i $a0, %got_pc_hi20(here)
  marked ld.d $a0, $a0, %got_pc_lo12(here)
  pcalau12i $a0, %got_pc_hi20(there)
  ld.d $a0, $a0, %got_pc_lo12(there)
  pcalau12i $a0, %ie_pc_hi20(v)
  ld.d $a0, $a0, %ie_pc_lo12(v)
  la.tls.desc $a0, v
f: ret
.data
.balign 4
here: .word 1
there: .word 2
.section .tdata, "awT"
v: .word 3
