// What a script does not name is placed, told of, refused or dropped, as --orphan-handling says.
//# @place,warn machines: x86-64 aarch64 aarch64_be i386 x32 small data has sections of its own
//# compile: -fno-pic -fno-asynchronous-unwind-tables
//# driver: ld
//# variant: place: main.o -T layout.ld
//# variant: warn: main.o -T layout.ld --orphan-handling=warn
//# variant: error: main.o -T layout.ld --orphan-handling=error
//# variant: discard: main.o -T layout.ld --orphan-handling=discard
//# peers: none
//# @place,warn section: orphan address=section(.data).end
//# @place no-warning: orphan
//# @warn warning: main\.o:\(orphan\) is being placed in 'orphan'
//# @error expect-error: main\.o:\(orphan\) is in no output section
//# @discard no-section: orphan
__attribute__((section("orphan"))) int placed = 3;
int data = 4;
void _start(void) {}
//# file: layout.ld
SECTIONS { . = 0x10000; .text : { *(.text) } . = ALIGN(0x1000); .data : { *(.data) } .bss : { *(.bss) }
  /DISCARD/ : { *(.comment) *(.note*) } }
