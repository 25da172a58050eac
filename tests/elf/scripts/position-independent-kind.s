# A position-independent program that a script gives an address is ET_EXEC; at address 0 it is ET_DYN.
//# driver: ld
//# link: main.o -z noexecstack -pie --no-dynamic-linker
//# variant: placed: -T layout.ld --defsym=start=0x100000
//# variant: anywhere: -T layout.ld --defsym=start=0
//# @placed header: type=EXEC
//# @anywhere header: type=DYN
//# lint-except: writable-code the script puts all into one segment
//# peers: ld
.globl _start
_start: lea _start(%rip), %rax
.data
.dc.a _start
//# file: layout.ld
SECTIONS { . = start; .text : { *(.text) } .data : { *(.data) } }
