// Regions of MEMORY say where sections run and where they are loaded; a section without a load region
// of its own is loaded where the one before it in its region is.
//# compile: -O1 -fno-pic -fno-asynchronous-unwind-tables
//# driver: ld
//# link: main.o -T layout.ld -z noexecstack
//# peers: ld
//# lint-except: load-order segments are in the order of load addresses
//# section: .vectors address=0x8000000 size=4
//# word32: 0x8000000 = 0x20010000
//# section: .text address=0x8000004
//# section: .data address=0x20000000
//# symbol: data_load value=symbol(text_end).value section=ABS
//# segment: LOAD address=0x20000000 physical=symbol(text_end).value
//# section: .heap size=0x400 type=NOBITS
//# section: filled size=37
//# bytes: section(filled).address+4 = aa bb aa bb
int data = 5, zeros[10];
__attribute__((section("own"))) int placed = 3;
void _start(void) { zeros[1] = data + placed; }
//# file: layout.ld
MEMORY {
  flash (rx) : ORIGIN = 0x08000000, LENGTH = 256K
  ram (rwx) : org = 0x20000000, len = 64K
}
REGION_ALIAS("code", flash)
ENTRY(_start)
SECTIONS
{
  .vectors : { LONG(stack_top) KEEP(*(.vectors)) } >flash
  .text : ALIGN(4) { *(.text*) *(.rodata*) . = ALIGN(4); text_end = .; } >code
  data_load = LOADADDR(.data);
  .data : { *(.data*) . = ALIGN(4); } >ram AT>flash
  .bss (NOLOAD) : { *(.bss*) *(COMMON) . = ALIGN(4); } >ram
  .heap (NOLOAD) : { . = ALIGN(8); PROVIDE(heap_end = .); . = . + 0x400; } >ram
  stack_top = ORIGIN(ram) + LENGTH(ram);
  .unused : { *(.nothing) }
  filled : { *(own) FILL(0xAABB) . = ALIGN(64); BYTE(7) } >flash
  /DISCARD/ : { *(.comment) *(.note*) }
}
