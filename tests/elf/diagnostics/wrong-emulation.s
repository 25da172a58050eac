// -m takes the emulation of the machine and refuses one that does not exist.
//# variant: right: -m elf_x86_64
//# variant: wrong: -m no_such_machine
//# link: -static
//# @right header: machine=62
//# @wrong expect-error: no_such_machine
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
