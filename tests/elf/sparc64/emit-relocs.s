# --emit-relocs has types of the instructions as they are.
//# driver: ld
//# link: -e _start --emit-relocs
//# reloc: R_SPARC_GOTDATA_HIX22 symbol=global
//# reloc: R_SPARC_TLS_LE_HIX22 symbol=x
//# reloc: R_SPARC_TLS_LE_LOX10 symbol=x
//# no-reloc: R_SPARC_GOTDATA_OP
//# no-reloc: R_SPARC_TLS_GD_HI22
//# no-reloc: R_SPARC_TLS_GD_CALL
//# peers: none
.register %g2, #scratch
.globl _start, global
_start:
  sethi %gdop_hix22(global), %g2
  xor %g2, %gdop_lox10(global), %g2
  ldx [%l7 + %g2], %g2, %gdop(global)
  sethi %tgd_hi22(x), %o0
  add %o0, %tgd_lo10(x), %o0
  add %l7, %o0, %o0, %tgd_add(x)
  call __tls_get_addr, %tgd_call(x)
  nop
.data
global: .word 1
.section .tdata,"awT"
.globl x
x: .word 2
