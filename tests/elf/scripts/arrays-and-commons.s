// Bounds of an array that the output does not have, and common symbols, which have no section header.
//# link: main.o -e 0 -T script.ld
//# symbol: __preinit_array_start
//# lint-except: writable-code the script puts all into one segment
//# peers: lld
.text
.dc.a __preinit_array_start, __preinit_array_end
.irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
.comm common\n, 4, 4
.endr
.section .note.GNU-stack,"",@progbits
//# file: script.ld
SECTIONS { . = 0x10000; .text : { *(.text) } .bss : { *(.bss) *(COMMON) } }
