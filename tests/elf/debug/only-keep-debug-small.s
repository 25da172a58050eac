// A file of --only-keep-debug may be shorter than the offsets that its segments have in the program: they have no
// content. GNU ld and lld have no such option.
//# peers: none
//# link: -static --only-keep-debug
//# segment: LOAD filesz=0 offset>=0x100000
//# section: .debug_str type=PROGBITS size=2
//# section: .data type=NOBITS
.globl _start
_start: ret
.section .rodata, "a"
.zero 0x100000
.data
.quad 1
.section .debug_str, "MS", @progbits, 1
.string "a"
.section .note.GNU-stack,"",@progbits
