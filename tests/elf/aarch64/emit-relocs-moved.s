// --emit-relocs: the relocation of an instruction that is moved for an erratum goes with it, a call through a thunk
// says where it leads, and where another instruction does the work there is none.
//# variant: moved: --fix-cortex-a53-843419=adrp
//# variant: adr: --fix-cortex-a53-843419=adr
//# link: -static --emit-relocs -Ttext=0x411000 --section-start=.data=0x420000 --section-start=.far=0x20000000
//# reloc: R_AARCH64_CALL26 place=0x411000 symbol=distant
//# reloc: R_AARCH64_NONE place=0x411004
//# @moved reloc: R_AARCH64_ADR_PREL_PG_HI21 place=0x411ff8 symbol=datum
//# @moved reloc: R_AARCH64_LDST64_ABS_LO12_NC place=symbol(__erratum_843419_veneer_0).value symbol=datum addend=8
//# @moved no-reloc: R_AARCH64_LDST64_ABS_LO12_NC place=0x412000
//# @adr reloc: R_AARCH64_NONE place=0x411ff8
//# @adr reloc: R_AARCH64_LDST64_ABS_LO12_NC place=0x412000 symbol=datum addend=8
//# peers: none
.globl _start, distant
.weak nothing
_start:
  bl distant
  bl nothing
  ret
  .org 0xff8
at_end:
  adrp x0, datum
  str x1, [x2]
  ldr x3, [x0, :lo12:datum+8]
  ret
.section .far,"ax",@progbits
distant: ret
.data
.globl datum
datum: .xword 1, 2
.section .note.GNU-stack, "", @progbits
