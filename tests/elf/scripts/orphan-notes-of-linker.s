// Notes of the linker that no statement takes stand before all sections, unless the first file
// brings notes: loaders and tools look for them near the headers. Both peers put them there.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 no section of the linker's own follows those of a script
//# driver: ld
//# link: main.o --build-id --package-metadata={}
//# variant: plain: -T plain.ld
//# variant: moved: -T moved.ld
//# variant: others: -T plain.ld note.o
//# peers: ld
//# @plain section: .note.gnu.build-id address=0
//# @plain section: .text address=section(.note.package).end
//# @moved section: .note.gnu.build-id address=0x10000
//# @moved section: .rodata address=section(.note.package).end
//# @others section: .text address=section(.note.test).end
//# @others note: test type=1
    .globl _start
    .text
_start: ret
    .section .rodata,"a"
    .byte 1
//# file: note.s
    .section .note.test,"a",@note
    .balign 4
    .long 5, 0, 1
    .asciz "test"
    .balign 4
//# file: plain.ld
SECTIONS { .text : { *(.text) } .rodata : { *(.rodata) } }
//# file: moved.ld
SECTIONS { . = 0x10000; start = .; .rodata : { *(.rodata) } .text : { *(.text) } }
