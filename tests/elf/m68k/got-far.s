| An offset of 16 bits that does not reach its word of the GOT is an error that names the option.
//# driver: ld
//# link: -shared
//# expect-error: relocation R_68K_GOT16O out of range|relocation truncated to fit
//# peers: ld
.globl f
f:
  .altmacro
  .macro word n
  move.l (w\n@GOT, %a5), %d0
  move.l (w\n@GOT.w, %a5), %d0
  .globl w\n
  .endm
  .set i, 0
  .rept 9000
  word %i
  .set i, i + 1
  .endr
