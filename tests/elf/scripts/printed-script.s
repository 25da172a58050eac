# --verbose prints the script that lays out: that of -T, or of -dT, or the default one where scripts
# only insert; maps list no scripts of -T among the inputs.
//# driver: ld
//# variant: given: main.o -T own.ld -dT default.ld
//# variant: default: main.o -dT default.ld
//# variant: insert: main.o -T insert.ld -dT default.ld
//# variant: insert-only: main.o -T insert.ld
//# link: --verbose -Map=map
//# @given stdout: own_section
//# @given,insert-only no-stdout: default_section
//# @default,insert stdout: default_section
//# @insert,insert-only no-stdout: inserted_section
//# @given,default,insert stdout: using external linker script
//# @insert-only stdout: using internal linker script
//# file-matches: map ^LOAD main\.o
//# no-file-matches: map ^LOAD .*\.ld
//# peers: ld
.globl _start
_start: ret
.section .note.GNU-stack,""
//# file: own.ld
SECTIONS { . = 0x10000; .text : { *(.text) } .own : { *(own_section) } }
//# file: default.ld
SECTIONS { . = 0x10000; .text : { *(.text) } .data : { *(default_section) } }
//# file: insert.ld
SECTIONS { .inserted : { *(inserted_section) } } INSERT AFTER .data;
