// R_X86_64_TPOFF64: the offset from the thread pointer; a library leaves it to the loader
// (the peers refuse it, GNU ld with a failed assertion).
//# variant: static: -static
//# variant: pie: -pie --no-dynamic-linker
//# @static,pie peers: ld lld
//# @shared peers: none
//# variant: shared: -shared
//# @static,pie word64: symbol(field).value = -12
//# @static,pie no-reloc: R_X86_64_TPOFF64
//# @shared reloc: R_X86_64_TPOFF64 place=symbol(field).value symbol=value addend=4
//# @shared dynamic: FLAGS value~STATIC_TLS
.globl _start
_start: ret
.data
field: .quad value@tpoff + 4
.section .tdata,"awT",@progbits
.globl value
value: .quad 3, 4
.section .note.GNU-stack,"",@progbits
