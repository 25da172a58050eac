# The first thread-local section has the alignment of all of them.
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# section: .tdata address=0x2100 align=256
//# segment: TLS address=0x2100 align=0x100
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
