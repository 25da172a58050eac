// OUTPUT_ARCH and TARGET of other machines are refused.
//# variant: arch: main.o arch.txt
//# variant: target: main.o target.txt
//# variant: own: main.o own.txt
//# @arch expect-error: cannot represent machine 'avr'
//# @target expect-error: unknown target: elf32-i386
//# @own symbol: _start
//# link: -static
//# @own peers: lld
//# @arch,target peers:
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
//# file: arch.txt
OUTPUT_ARCH(avr)
//# file: target.txt
TARGET(elf32-i386)
//# file: own.txt
OUTPUT_ARCH(i386:x86-64) TARGET(elf64-x86-64) OUTPUT_FORMAT(elf64-x86-64, elf64-x86-64, elf64-x86-64)
