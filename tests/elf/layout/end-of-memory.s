// The last byte of memory may be taken: a section may end where addresses do.
//# variant: option: --section-start=.reset=0xfffffffffffffff0
//# variant: both: -Ttext=0xfffffffffffff000 --section-start=.reset=0xfffffffffffffff0
//# variant: script: -T layout.ld
//# link: main.o -static
//# peers: ld
//# @option,both,script section: .reset address=0xfffffffffffffff0 size=16
//# @option,both segment: LOAD address=0xfffffffffffffff0 memsz=16 filesz=16
//# @script segment: LOAD address=0xfffffffffffff000 memsz=0x1000 filesz=0x1000
//# @option,both,script bytes: .reset = eb fe f4
.globl _start
_start: ret
.section .reset,"ax"
reset: jmp reset
.fill 14,1,0xf4
.section .note.GNU-stack,"",@progbits
//# file: layout.ld
SECTIONS { .text 0xfffffffffffff000 : { *(.text) } .reset 0xfffffffffffffff0 : { *(.reset) } }
