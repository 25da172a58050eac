// -z dynamic-undefined-weak means nothing where no loader reads the program, which a warning says.
//# variant: pie: -pie --no-dynamic-linker -z dynamic-undefined-weak
//# variant: program: --no-dynamic-linker -z dynamic-undefined-weak
//# variant: shared: -shared --no-dynamic-linker -z dynamic-undefined-weak
//# @pie,program warning: -z dynamic-undefined-weak ignored
//# @pie,program no-reloc:
//# @shared no-warning: ignored
//# @shared dynsym: nothing bind=WEAK section=UND
//# peers: ld
.globl _start
.weak nothing
_start:
  mov nothing@GOTPCREL(%rip), %rdi
  ret
.section .note.GNU-stack,"",@progbits
