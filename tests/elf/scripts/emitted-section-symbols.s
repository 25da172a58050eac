# Relocations that --emit-relocs leaves against sections count from the start of the output section, of
# whatever statements it is made.
//# driver: ld
//# link: main.o -z noexecstack --emit-relocs -T layout.ld
//# reloc: R_X86_64_64 symbol=.text addend=8 place=section(.text).address+8
//# reloc: R_X86_64_64 symbol=.text addend=28 place=section(.text).address+16
//# no-symbol: .text value>section(.text).address
//# lint-except: writable-code the script puts all into one segment
//# peers: ld
.globl _start
.section .text.a,"ax"
_start: .quad .text.a, .text.b+4
.section .text.b,"ax"
.quad 1
//# file: layout.ld
SECTIONS { .text : { QUAD(3) *(.text.a) *(.text.b) } }
