# Padding for alignment shrinks to what is needed, also where code before it has become shorter. Its
# relocation has the bytes, or with a symbol the alignment and how many may be spent on it.
//# driver: ld
//# variant: relaxed:
//# variant: kept: --no-relax
//# link: -e _start
//# run: exit=4
//# check: nm $OUT | grep -q '[048c]0 T aligned'
//# check: nm $OUT | grep -q '[02468ace]0 t other'
//# @relaxed symbol: skipped size=12
//# @kept symbol: skipped size=12
//# peers: lld
.macro padding bytes
  .rept \bytes / 4
  nop
  .endr
.endm
.balign 64
.globl _start, f, aligned
_start:
  pcaddu18i $ra, %call36(f)
  .reloc .-4, R_LARCH_RELAX
  jirl $ra, $ra, 0
  b aligned
f: ret
  .reloc ., R_LARCH_ALIGN, 60
  padding 60
aligned:
  li.w $a0, 1
  .reloc ., R_LARCH_ALIGN, _start + 5
  padding 28
other:
  addi.d $a0, $a0, 1
skipped:
  addi.d $a0, $a0, 1
  # 20 bytes would be needed.
  .reloc ., R_LARCH_ALIGN, _start + 0x1005
  padding 28
  addi.d $a0, $a0, 1
  nop
.size skipped, . - skipped
  li.w $a7, 93
  syscall 0
