// -z isa-level-report lists what objects say of the ISA levels they need or use.
//# variant: all: -z isa-level-report=all
//# variant: needed: -z isa-level-report=needed
//# variant: used: -z isa-level-report=used
//# variant: none: -z isa-level-report=none
//# variant: wrong: -z isa-level-report=some
//# link: main.o
//# @all,needed says: main\.o: x86 ISA needed: x86-64-baseline, x86-64-v3
//# @all,used says: main\.o: x86 ISA used: x86-64-v2
//# @used,none no-says: ISA needed
//# @needed,none no-says: ISA used
//# @wrong expect-error: isa-level-report.*some
//# peers:
.globl _start
_start: ret
.section .note.gnu.property, "a"
.align 8
.long 4, 32, 5
.asciz "GNU"
.long 0xc0008002, 4, 5, 0
.long 0xc0010002, 4, 2, 0
