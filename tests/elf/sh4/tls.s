! Words of all thread-local models: the block follows a header of eight bytes.
//# driver: ld
//# variant: program: -e _start
//# variant: library: -shared
//# @program bytes: .data = 0c 00 00 00 04 00 00 00
//# @library reloc: R_SH_TLS_TPOFF32 place=section(.data).address
//# @library reloc: R_SH_TLS_DTPMOD32
//# peers: none
.globl _start
_start: nop
.align 2
  .long b@TLSGD
  .long b@TLSLDM
  .long b@GOTTPOFF
.section .tdata, "awT", @progbits
.align 2
a: .long 1
b: .long 2
.data
.align 2
  .long b@TPOFF
  .long b@DTPOFF
