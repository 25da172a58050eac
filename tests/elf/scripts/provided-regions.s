# ORIGIN, LENGTH and AT of program headers take symbols that only they name, and those of objects.
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# segment: LOAD address=0x40000 physical=0x80000
//# section: .text address=0x40000
//# no-symbol: unused
//# peers: ld
.globl _start, origin, load
origin = 0x40000
load = 0x80000
_start: ret
//# file: layout.ld
PROVIDE(size = 0x1000);
PROVIDE(origin = 5);
PROVIDE(unused = 5);
MEMORY { ram : ORIGIN = origin, LENGTH = size }
PHDRS { all PT_LOAD AT(load); }
SECTIONS { .text : { *(.text) } > ram : all }
