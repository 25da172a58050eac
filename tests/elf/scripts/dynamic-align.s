# PT_DYNAMIC has the alignment that the script gives the section.
//# driver: ld
//# link: main.o -z noexecstack -shared -T layout.ld
//# section: .dynamic align=0x1000
//# segment: DYNAMIC align=0x1000
//# lint-except: writable-code the script puts all into one segment
//# peers: ld
.globl f
f: ret
//# file: layout.ld
SECTIONS { .text : { *(.text) } .dynamic : ALIGN(4K) { *(.dynamic) } }
