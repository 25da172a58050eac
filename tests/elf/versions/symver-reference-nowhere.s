// A reference to a version that no library has cannot be left to the loader, which has to be told
// where to look: that is an error in a shared library too, and for weak references.
//# variant: strong: main.o
//# variant: weak: main.o | -Wa,--defsym,WEAK=1
//# variant: program: -pie main.o --unresolved-symbols=ignore-all | -Wa,--defsym,WEAK=1
//# @strong,weak link: -shared
//# expect-error: (undefined symbol: |no symbol version section for versioned symbol .)foo@V9
.include "machine.inc"
.ifdef WEAK
.weak foo
.endif
.symver foo, foo@V9
.globl call
call:
  calls foo
  ret
.section .note.GNU-stack,"",@progbits
