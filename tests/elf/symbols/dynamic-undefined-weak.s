// -z dynamic-undefined-weak leaves an undefined weak symbol to the loader in programs of each kind,
// -z nodynamic-undefined-weak makes it zero here and now, in libraries too.
//# variant: pie: -pie --dynamic-linker=/nothing -z dynamic-undefined-weak
//# variant: program: libx.so -z dynamic-undefined-weak
//# variant: pie-no: -pie --dynamic-linker=/nothing -z nodynamic-undefined-weak
//# variant: shared-no: -shared -z nodynamic-undefined-weak
//# shared: libx.so x.o
//# link: main.o
//# @pie,program dynsym: nothing bind=WEAK section=UND
//# @pie,program reloc: R_X86_64_GLOB_DAT symbol=nothing count=1
//# @pie-no,shared-no no-dynsym: nothing
//# @pie-no,shared-no no-reloc: symbol=nothing
//# @pie-no,shared-no no-reloc: R_X86_64_RELATIVE
//# @pie-no,shared-no word64: symbol(word).value = 0
//# @pie peers: ld
//# @program,pie-no,shared-no peers: ld
.globl _start
.weak nothing
_start:
  mov nothing@GOTPCREL(%rip), %rdi
  ret
.data
.globl word
.hidden word
word: .quad nothing
.section .note.GNU-stack,"",@progbits
//# file: x.s
.data
.globl x
x: .quad 0
.section .note.GNU-stack,"",@progbits
