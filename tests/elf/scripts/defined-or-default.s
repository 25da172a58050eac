# `k = DEFINED(k) ? k : default`, whether something else defines k or nothing does.
//# machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# symbol: none value=7
//# symbol: own value=0x500
//# symbol: begin value=0x10001
//# symbol: copy value=0x500
//# symbol: given value=9
//# symbol: before value=1
//# symbol: behind value=1
//# symbol: unassigned value=0
//# peers: ld
.globl _start, own
own = 0x500
_start: ret
//# file: layout.ld
before = DEFINED(own);
none = DEFINED(none) ? none : 7;
own = DEFINED(own) ? own : 8;
PROVIDE(given = DEFINED(given) ? given : 9);
behind = DEFINED(own);
unassigned = DEFINED(given_later);
given_later = 1;
SECTIONS {
    . = 0x10000;
    .text : { *(.text) }
    begin = DEFINED(begin) ? begin : .;
}
copy = own;
ASSERT(given == 9, "not given")
