// The distance to a weak symbol that nothing defines is not known where the loader chooses the
// place: the address would be that of the image, and not zero.
//# variant: pie: -pie --dynamic-linker=/nothing weak.o
//# variant: static-pie: -static -pie --no-dynamic-linker weak.o
//# variant: hidden-pie: -pie --dynamic-linker=/nothing hidden.o
//# variant: hidden-shared: -shared hidden.o
//# variant: got: -shared offset.o
//# variant: calls: -pie --dynamic-linker=/nothing call.o
//# variant: fixed: weak.o hidden.o
//# link:
//# @pie,static-pie,hidden-pie,hidden-shared expect-error: R_X86_64_PC32.*nothing
//# @got expect-error: R_X86_64_GOTOFF64.*nothing
//# @calls symbol: start
//# @fixed disasm: start lea -0x[0-9a-f]+\(%rip\),%rax # 0
//# peers: ld
//# file: weak.s
.weak nothing
.globl start
start: lea nothing(%rip), %rax
.section .note.GNU-stack,"",@progbits
//# file: hidden.s
.weak nothing2
.hidden nothing2
.globl start2
start2: lea nothing2(%rip), %rax
.section .note.GNU-stack,"",@progbits
//# file: offset.s
.weak nothing
.hidden nothing
.globl start
start: movabs $nothing@GOTOFF, %rax
.section .note.GNU-stack,"",@progbits
//# file: call.s
.weak nothing
.hidden nothing
.globl start
start: call nothing@PLT
.section .note.GNU-stack,"",@progbits
