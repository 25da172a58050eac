# Thread-local sections have to stand together, because PT_TLS describes them as one template.
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# expect-error: section \.data stands amid sections of thread-local storage
//# peers: none
.globl _start
_start: ret
.section .tdata,"awT"
.long 1
.data
.long 2
.section .tbss,"awT",@nobits
.zero 4
//# file: layout.ld
SECTIONS { .text : { *(.text) } .tdata : { *(.tdata) } .data : { *(.data) } .tbss : { *(.tbss) } }
