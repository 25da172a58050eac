// 32-bit offsets (R_X86_64_SIZE32, R_X86_64_TPOFF32, R_X86_64_DTPOFF32, R_X86_64_GOT32) that their
// field cannot hold are errors.
//# variant: size32: -static | -Wa,--defsym,size32=1
//# variant: tpoff32: -static | -Wa,--defsym,tpoff32=1
//# variant: dtpoff32: -shared | -Wa,--defsym,dtpoff32=1
//# variant: got32: -static | -Wa,--defsym,got32=1
//# variant: none: -static
//# @size32 expect-error: R_X86_64_SIZE32
//# @tpoff32 expect-error: R_X86_64_TPOFF32
//# @dtpoff32 expect-error: R_X86_64_DTPOFF32
//# @got32 expect-error: R_X86_64_GOT32
//# @none word64: symbol(eight).value = 0x100000000
//# @none lint-except: symbol-outside-section the size is for the field alone
//# peers: none
.globl _start
_start: ret
.globl object
.type object, @object
.size object, 0x100000000
.data
object: .quad 0
eight: .quad object@SIZE
.ifdef size32
  .long object@SIZE
.endif
.ifdef tpoff32
  .long value@tpoff + 0x7ffffff0 + 0x100
.endif
.ifdef dtpoff32
  .long value@dtpoff + 0x7ffffff0 + 0x100
.endif
.ifdef got32
  .long object@GOT + 0x90000000
.endif
.section .tdata,"awT",@progbits
value: .quad 0
.section .note.GNU-stack,"",@progbits
