# Where code may share a segment with data that is not written, a segment without code is not executed.
//# @constant machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le pages of 1 MiB are larger than the distances here
//# driver: ld
//# variant: written: -T data.ld
//# variant: constant: -T constant.ld
//# variant: library: -shared --no-rosegment
//# link: main.o -e 0 -z noseparate-code
//# @written segment: LOAD flags=RW
//# @constant segment: LOAD flags=R
//# @constant segment: LOAD flags=RW
//# @library no-segment: LOAD flags=RX
//# @written,constant peers: ld
//# @library peers: none
.section .rodata,"a",@progbits
.long 1
.data
.long 2
.section .note.GNU-stack,"",@progbits
//# file: data.ld
SECTIONS { . = 0x10000; .rodata : { *(.rodata) } .data : { *(.data) } }
//# file: constant.ld
SECTIONS { . = 0x10000; .rodata : { *(.rodata) } . = 0x40000; .data : { *(.data) } }
