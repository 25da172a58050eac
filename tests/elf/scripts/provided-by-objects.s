# PROVIDE of a symbol that an object defines: expressions mean the object's.
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# symbol: copy value=0x1000
//# symbol: later value=0x1000
//# section: .stack size=0x1000
//# word64: section(.words).address = 0x1000
//# symbol: size value=0x1000
//# lint-except: writable-code the script puts all into one segment
//# peers: ld lld
.globl _start, size
size = 0x1000
_start: ret
//# file: layout.ld
PROVIDE(size = 0x40);
copy = size;
SECTIONS {
    . = 0x10000;
    .text : { *(.text) }
    .words : { QUAD(size) }
    .stack (NOLOAD) : { . += size; }
}
later = size;
ASSERT(size == 0x1000, "not the size")
