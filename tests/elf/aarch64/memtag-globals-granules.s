// A variable in tagged memory fills granules of 16 bytes.
//# variant: size: size.o
//# variant: place: place.o
//# variant: none: none.o
//# link: -shared -z memtag-mode=sync
//# @size expect-error: size.o: variable `variable' in tagged memory has 0x14 bytes, which is no multiple of 16
//# @place expect-error: place.o: variable `variable' in tagged memory is at 0x[0-9a-f]*8, which is no multiple of 16
//# @none expect-error: none.o: variable `variable' in tagged memory has no size
//# peers: none
//# file: size.s
.globl variable
.data
.balign 16
.type variable, %object
variable: .zero 20
.size variable, 20
.section .memtag.globals.static,"",%0x70000007
.reloc 0, R_AARCH64_NONE, variable
.zero 1
.section .note.GNU-stack,"",%progbits
//# file: place.s
.globl variable
.data
.balign 16
.xword 0
.type variable, %object
variable: .zero 16
.size variable, 16
.section .memtag.globals.static,"",%0x70000007
.reloc 0, R_AARCH64_NONE, variable
.zero 1
.section .note.GNU-stack,"",%progbits
//# file: none.s
.globl variable
.data
.balign 16
.type variable, %object
variable: .zero 16
.section .memtag.globals.static,"",%0x70000007
.reloc 0, R_AARCH64_NONE, variable
.zero 1
.section .note.GNU-stack,"",%progbits
