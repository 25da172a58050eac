// Types that only a loader may see are errors in an object (lld gives their numbers, GNU ld
// takes them).
//# variant: copy: -static | -Wa,--defsym,copy=1
//# variant: glob-dat: -static | -Wa,--defsym,glob_dat=1
//# variant: jump-slot: -static | -Wa,--defsym,jump_slot=1
//# variant: relative: -static | -Wa,--defsym,relative=1
//# variant: relative64: -static | -Wa,--defsym,relative64=1
//# variant: irelative: -static | -Wa,--defsym,irelative=1
//# variant: dtpmod64: -static | -Wa,--defsym,dtpmod64=1
//# variant: tlsdesc: -static | -Wa,--defsym,tlsdesc=1
//# @copy expect-error: R_X86_64_COPY
//# @glob-dat expect-error: R_X86_64_GLOB_DAT
//# @jump-slot expect-error: R_X86_64_JUMP_SLOT
//# @relative expect-error: R_X86_64_RELATIVE
//# @relative64 expect-error: R_X86_64_RELATIVE64
//# @irelative expect-error: R_X86_64_IRELATIVE
//# @dtpmod64 expect-error: R_X86_64_DTPMOD64
//# @tlsdesc expect-error: R_X86_64_TLSDESC
//# expect-error: unknown relocation
//# peers: none
.globl _start
_start: ret
.data
field: .quad 0, 0
.ifdef copy
.reloc field, R_X86_64_COPY, _start
.endif
.ifdef glob_dat
.reloc field, R_X86_64_GLOB_DAT, _start
.endif
.ifdef jump_slot
.reloc field, R_X86_64_JUMP_SLOT, _start
.endif
.ifdef relative
.reloc field, R_X86_64_RELATIVE, _start
.endif
.ifdef relative64
.reloc field, R_X86_64_RELATIVE64, _start
.endif
.ifdef irelative
.reloc field, R_X86_64_IRELATIVE, _start
.endif
.ifdef dtpmod64
.reloc field, R_X86_64_DTPMOD64, tls
.endif
.ifdef tlsdesc
.reloc field, R_X86_64_TLSDESC, tls
.endif
.section .tdata,"awT",@progbits
tls: .quad 0
.section .note.GNU-stack,"",@progbits
