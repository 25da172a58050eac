# Sequences of thread-local storage become local-exec: additions of the thread pointer and of a
# negative offset, whose lower part is turned back by an exclusive or.
//# driver: ld
//# link: -e _start
//# bytes: symbol(general).value = 11 00 00 00 90 1a 3f f4 90 01 c0 08 01 00 00 00
//# bytes: symbol(module).value = 01 00 00 00 01 00 00 00 01 00 00 00 90 10 00 00
//# bytes: symbol(block).value = 03 00 00 00 82 18 7f f4 82 01 c0 01
//# bytes: symbol(initial).value = 03 00 00 00 82 18 7f f4 01 00 00 00 82 01 c0 01
//# bytes: symbol(moved).value = 84 10 00 01
//# bytes: symbol(exec).value = 03 00 00 00 82 18 7f f4
//# peers: ld
.register %g2, #scratch
.globl _start
_start:
general:
  sethi %tgd_hi22(x), %o0
  add %o0, %tgd_lo10(x), %o0
  add %l7, %o0, %o0, %tgd_add(x)
  call __tls_get_addr, %tgd_call(x)
  nop
module:
  sethi %tldm_hi22(x), %o0
  add %o0, %tldm_lo10(x), %o0
  add %l7, %o0, %o0, %tldm_add(x)
  call __tls_get_addr, %tldm_call(x)
  nop
block:
  sethi %tldo_hix22(x), %g1
  xor %g1, %tldo_lox10(x), %g1
  add %o0, %g1, %g1, %tldo_add(x)
initial:
  sethi %tie_hi22(x), %g1
  add %g1, %tie_lo10(x), %g1
  ldx [%l7 + %g1], %g1, %tie_ldx(x)
  add %g7, %g1, %g1, %tie_add(x)
moved:
  ldx [%l7 + %g1], %g2, %tie_ldx(x)
exec:
  sethi %tle_hix22(x), %g1
  xor %g1, %tle_lox10(x), %g1
.section .tdata,"awT"
.align 8
  .word 1
.globl x
x: .word 2
  .xword 3
