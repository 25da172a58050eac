# A segment with the file header begins before its first section, which must leave room for it.
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# expect-error: there is no room for the program headers before the first section
//# peers: none
.globl _start
_start: ret
//# file: layout.ld
PHDRS { code PT_LOAD FILEHDR PHDRS; }
SECTIONS { .text 0 : { *(.text) } :code }
