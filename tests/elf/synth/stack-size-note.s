// -z stack-size is said in .note.gnu.property if there is one: the largest size of all.
//# @some,relocatable machines: x86-64 a property of x86 is in the note
//# @larger,relocatable,smaller,some machines: x86-64 aarch64 addresses, and what is made of them, have eight bytes
//# file: cet.s
.section .note.gnu.property,"a"
.balign 8
.long 4, 16, 5
.asciz "GNU"
.long 0xc0000002, 4, 3, 0
.section .note.GNU-stack,"",@progbits
//# file: stack.s
.section .note.gnu.property,"a"
.balign 8
.long 4, 16, 5
.asciz "GNU"
.long 1, 8, 0x30000, 0
.section .note.GNU-stack,"",@progbits
//# file: main.s
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
//# variant: none: main.o -z stack-size=0x20000
//# variant: some: main.o cet.o -z stack-size=0x20000
//# variant: larger: main.o stack.o -z stack-size=0x40000
//# variant: smaller: main.o stack.o -z stack-size=0x20000
//# variant: relocatable: -r main.o cet.o -z stack-size=0x20000
//# @none no-section: .note.gnu.property
//# @some check: readelf -nW $OUT | grep 'stack size: 0x20000'
//# @larger check: readelf -nW $OUT | grep 'stack size: 0x40000'
//# @smaller check: readelf -nW $OUT | grep 'stack size: 0x30000'
//# @relocatable check: readelf -nW $OUT | grep 'stack size: 0x20000'
//# peers: ld
