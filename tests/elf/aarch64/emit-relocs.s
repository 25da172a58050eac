// What --emit-relocs says is what the code is: relocations of rewritten instructions are those of the new.
//# link: -static --emit-relocs -Ttext=0x210000 -Tdata=0x1000000
//# peers: none
//# reloc: R_AARCH64_ADR_PREL_LO21 place=0x210004 symbol=near
//# reloc: R_AARCH64_NONE place=0x210000
//# reloc: R_AARCH64_ADR_PREL_PG_HI21 place=0x210008 symbol=far
//# reloc: R_AARCH64_ADD_ABS_LO12_NC place=0x21000c symbol=far
//# reloc: R_AARCH64_TLSLE_MOVW_TPREL_G1 place=0x210010 symbol=variable
//# reloc: R_AARCH64_TLSLE_MOVW_TPREL_G0_NC place=0x210014 symbol=variable
//# reloc: R_AARCH64_NONE place=0x210018
//# reloc: R_AARCH64_NONE place=0x21001c
//# no-reloc: R_AARCH64_TLSDESC_CALL
.globl _start, near, far, variable
_start:
near:
  adrp x0, near
  add x0, x0, #:lo12:near
  adrp x1, :got:far
  ldr x1, [x1, #:got_lo12:far]
  adrp x0, :tlsdesc:variable
  ldr x1, [x0, #:tlsdesc_lo12:variable]
  add x0, x0, #:tlsdesc_lo12:variable
  .tlsdesccall variable
  blr x1
.data
far: .xword 0
.section .tdata,"awT",@progbits
variable: .xword 2
.section .note.GNU-stack,"",@progbits
