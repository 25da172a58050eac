// .got.plt is there only if something is in it or refers to it.
//# variant: none: u.o -shared
//# variant: base: v.o -shared
//# variant: plt: w.o -shared -z lazy
//# @none no-section: .got.plt
//# @none no-dynamic: PLTGOT
//# @base,plt section: .got.plt
//# @plt dynamic: PLTGOT value=section(.got.plt).address
//# peers: lld
//# file: u.s
.globl f
f: ret
.data
.dc.a f
.section .note.GNU-stack,"",@progbits
//# file: v.s
.globl f
f: lea _GLOBAL_OFFSET_TABLE_(%rip), %rax
ret
.section .note.GNU-stack,"",@progbits
//# file: w.s
.globl f
f: call g@plt
ret
.section .note.GNU-stack,"",@progbits
