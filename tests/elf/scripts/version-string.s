# The linker's own version string is in no loaded section that a script fills with whatever there is, and
# in .comment if it is named.
//# @all,image,letter machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# driver: ld
//# variant: all: -T all.ld
//# variant: image: -T all.ld --oformat binary
//# variant: letter: -T letter.ld
//# variant: named: -T named.ld
//# link: main.o
//# @all,letter section: .boot size=2
//# @all,letter lint-except: writable-code one section
//# @all,letter no-contains: .boot Linker:
//# @image check: test $(stat -c %s $OUT) = 2
//# @named contains: .comment Linker: skald
//# @named peers: none
//# peers: ld
.globl _start
_start: ret
.section .other,"a"
.byte 1
.section .note.GNU-stack,"",@progbits
//# file: all.ld
SECTIONS { . = 0x7c00; .boot : { *(.text) *(.*) } end = .; }
//# file: letter.ld
SECTIONS { . = 0x7c00; .boot : { *(.text .o*) } .c : { *(.c*) } }
//# file: named.ld
SECTIONS { . = 0x7c00; .boot : { *(.text .o*) } .comment 0 : { *(.comment) } }
