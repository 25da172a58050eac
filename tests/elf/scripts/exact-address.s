# An address that a script or -Tdata gives holds though the inputs ask for a greater alignment, which
# the section then has not; they are aligned within it.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k other assemblers round up sizes of sections
//# driver: ld
//# variant: script: -T address.ld
//# variant: option: -T plain.ld -Tdata=0x4008
//# link: main.o -z noexecstack
//# section: .data address=0x4008 align=8 size=0xc
//# section: .more address=0x4020 align=32
//# @script section: .rounded address=0x5010
//# peers: ld
.globl _start
_start: ret
.data
.balign 16
.long 1
.section .more,"aw"
.balign 32
.long 2
.section .rounded,"aw"
.balign 32
.long 3
//# file: address.ld
SECTIONS {
    .text 0x1000 : { *(.text) }
    .data 0x4008 : { *(.data) }
    .more : { *(.more) }
    .rounded 0x5001 : ALIGN(16) { *(.rounded) }
}
//# file: plain.ld
SECTIONS {
    .text 0x1000 : { *(.text) }
    .data : { *(.data) }
    .more : { *(.more) }
    .rounded : { *(.rounded) }
}
