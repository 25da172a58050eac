// A signed pointer to a weak symbol that nothing defines is null: the word is zero, without the
// schema and without a relocation. The assemblers of peers know such words, the linkers do not.
//# cc: clang-19
//# compile: -march=armv8.3-a+pauth
//# variant: pie: -pie
//# variant: packed: -pie --pack-dyn-relocs=relr
//# variant: fixed: -static
//# variant: static-pie: -static -pie
//# link:
//# word64: section(.data).address = 0
//# no-section: .rela.dyn
//# no-section: .relr.auth.dyn
//# peers: none
.globl _start
.weak nothing
.hidden nothing
_start: ret
.data
  .quad nothing@AUTH(ia,42)
.section .note.GNU-stack,"",@progbits
