# A call for a variable of a library becomes a load from the GOT and an addition, in the order in which
# the call and its delay slot are done.
//# driver: ld
//# shared: libother.so other.o
//# link: main.o -L. -lother -e _start -pie
//# reloc: R_SPARC_TLS_TPOFF64 symbol=x
//# bytes: symbol(slot).value = d0 5d c0 08 90 01 c0 08
//# bytes: symbol(before).value = d0 5d c0 08 90 01 c0 08
//# no-disasm: * call
//# peers: ld
.globl _start, slot, before
_start:
slot:
  call __tls_get_addr, %tgd_call(x)
  add %l7, %o0, %o0, %tgd_add(x)
before:
  add %l7, %o0, %o0, %tgd_add(x)
  call __tls_get_addr, %tgd_call(x)
  nop
  sethi %tgd_hi22(x), %o0
  add %o0, %tgd_lo10(x), %o0
//# file: other.s
.section .tdata,"awT"
.globl x
.type x, @tls_object
x: .word 2
