# Thread-local sections have to stand together, because PT_TLS describes them as one template; where
# the template is loaded from does not matter.
//# driver: ld
//# variant: apart: -T apart.ld
//# variant: loaded: -T loaded.ld
//# link: main.o -z noexecstack
//# @apart expect-error: section \.data stands amid sections of thread-local storage
//# @loaded section: .tbss address=0x8004
//# peers: none
.globl _start
_start: ret
.section .tdata,"awT"
.long 1
.data
.long 2
.section .tbss,"awT",@nobits
.zero 4
//# file: apart.ld
SECTIONS { .text : { *(.text) } .tdata : { *(.tdata) } .data : { *(.data) } .tbss : { *(.tbss) } }
//# file: loaded.ld
MEMORY { ROM : ORIGIN = 0x1000, LENGTH = 4K  RAM : ORIGIN = 0x8000, LENGTH = 4K }
SECTIONS {
    .text : { *(.text) } >ROM
    .tdata : { *(.tdata) } >RAM AT>ROM
    .tbss : { *(.tbss) } >RAM AT>RAM
    .data : { *(.data) } >RAM AT>ROM
}
