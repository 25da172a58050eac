// GOT-relative 32-bit fields more than 2 GiB away from the GOT are errors.
//# variant: gotpcrel: -static -z norelro --section-start=.got=0x200000000 | -Wa,--defsym,gotpcrel=1
//# variant: gotpc32: -static -z norelro --section-start=.got.plt=0x200000000 | -Wa,--defsym,gotpc32=1
//# variant: gottpoff: -shared -z norelro --section-start=.got=0x200000000 | -Wa,--defsym,gottpoff=1
//# variant: tlsgd: -shared -z norelro --section-start=.got=0x200000000 | -Wa,--defsym,tlsgd=1
//# variant: tlsld: -shared -z norelro --section-start=.got=0x200000000 | -Wa,--defsym,tlsld=1
//# variant: tlsdesc: -shared -z norelro --section-start=.got=0x200000000 | -Wa,--defsym,tlsdesc=1
//# @gotpcrel expect-error: R_X86_64_GOTPCREL
//# @gotpc32 expect-error: R_X86_64_GOTPC32
//# @gottpoff expect-error: R_X86_64_GOTTPOFF
//# @tlsgd expect-error: R_X86_64_TLSGD
//# @tlsld expect-error: R_X86_64_TLSLD
//# @tlsdesc expect-error: R_X86_64_GOTPC32_TLSDESC
//# peers: ld
.globl _start
_start:
.ifdef gotpcrel
  push foo@GOTPCREL(%rip)
.endif
.ifdef gotpc32
  lea _GLOBAL_OFFSET_TABLE_(%rip), %rbx
.endif
.ifdef gottpoff
  mov value@gottpoff(%rip), %rax
.endif
.ifdef tlsgd
  lea value@tlsgd(%rip), %rdi
.endif
.ifdef tlsld
  lea value@tlsld(%rip), %rdi
.endif
.ifdef tlsdesc
  lea value@tlsdesc(%rip), %rax
.endif
.data
foo: .quad 0
.section .tdata,"awT",@progbits
.globl value
value: .quad 0
.section .note.GNU-stack,"",@progbits
