# Among sections that no statement takes .data.rel.ro comes before those of all files but the first, if
# there are dynamic sections: the linker has one of its own.
//# driver: ld
//# link: main.o other.o -z noexecstack -T layout.ld
//# variant: dynamic: -shared
//# variant: static:
//# @dynamic section: .data.rel address=section(.data.rel.ro).end
//# @static section: .data.rel address=section(.data).end
//# @static section: .data.rel.ro address=section(.data.rel).end
//# lint-except: writable-code the script puts all into one segment
//# peers: ld
.globl _start
_start: ret
.data
.quad 1
//# file: other.s
.section .data.rel,"aw"
.quad 2
.section .data.rel.ro,"aw"
.quad 3
//# file: layout.ld
SECTIONS { .text : { *(.text) } .data : { *(.data) } .bss : { *(.bss) } }
