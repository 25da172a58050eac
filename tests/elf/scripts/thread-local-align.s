# The first thread-local section has the alignment of all of them, also one that the script asks for.
//# driver: ld
//# variant: inputs: -T layout.ld
//# variant: stated: -T stated.ld
//# link: main.o -z noexecstack
//# @inputs section: .tdata address=0x2100 align=256
//# @inputs segment: TLS address=0x2100 align=0x100
//# @stated section: .tdata address=0x2200 align=512
//# @stated segment: TLS address=0x2200 align=0x200
//# peers: ld
.globl _start
_start: ret
.section .tdata,"awT"
.balign 4
.long 1
.section .tbss,"awT",@nobits
.balign 256
.zero 4
//# file: layout.ld
SECTIONS {
    .text 0x1000 : { *(.text) }
    . = 0x2004;
    .tdata : { *(.tdata) }
    .tbss : { *(.tbss) }
}
//# file: stated.ld
SECTIONS {
    .text 0x1000 : { *(.text) }
    . = 0x2004;
    .tdata : { *(.tdata) }
    .tbss : ALIGN(512) { *(.tbss) }
}
