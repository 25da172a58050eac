// A common symbol of thread-local storage is in .tcommon, as for GNU ld, and an orphan where no
// statement names that: never among zeros that threads share.
//# peers: ld
//# variant: named: main.o -T named.ld
//# @named symbol: own value=0
//# @named section: .template flags=WAT
//# variant: orphan: main.o -T orphan.ld
//# @orphan peers:
//# @orphan section: .tbss flags=WAT size=8
//# section: .bss flags=WA size=8
//# segment: TLS memsz=8
.globl _start
_start: movq %fs:own@tpoff, %rax
mov %rax, shared
.tls_common own, 8, 8
.comm shared, 8, 8
//# file: named.ld
SECTIONS { . = 0x10000; .text : { *(.text*) } . = ALIGN(CONSTANT(MAXPAGESIZE)); .template : { *(.tdata .tbss .tcommon) } .bss : { *(.bss COMMON) } }
//# file: orphan.ld
SECTIONS { . = 0x10000; .text : { *(.text*) } . = ALIGN(CONSTANT(MAXPAGESIZE)); .data : { LONG(1) } .bss : { *(.bss COMMON) } }
