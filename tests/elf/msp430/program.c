// Compiled code with a script of a device: variables are loaded behind code.
//# driver: ld
//# variant: all:
//# variant: gc: --gc-sections
//# compile: -O1 -ffunction-sections -fdata-sections
//# link: -T device.ld main.o more.o
//# section: .text address=0xc000
//# section: .data address=0x200
//# segment: LOAD address=0x200 physical=section(.text).end
//# symbol: counter value=0x200
//# disasm: main call #49\d\d\d
//# @gc no-symbol: unused
//# @all symbol: unused
//# bytes: 0xfffe = 00 c0
//# lint-except: load-order variables are below code
//# peers: lld
extern int counter;
int next(int);
__attribute__((section(".start"))) int main(void) {
  counter = next(counter);
  return counter;
}
int unused(void) { return 3; }
__attribute__((section(".reset"), used)) int (*const reset)(void) = main;
//# file: more.c
int counter = 7;
int next(int x) { return x + 1; }
//# file: device.ld
MEMORY {
  ram (rw) : ORIGIN = 0x200, LENGTH = 0x800
  rom (rx) : ORIGIN = 0xc000, LENGTH = 0x3fe0
  vectors (r) : ORIGIN = 0xffe0, LENGTH = 0x20
}
ENTRY(main)
SECTIONS {
  .text : { *(.start) *(.text .text.*) *(.rodata .rodata.*) } > rom
  .data : { *(.data .data.*) } > ram AT> rom
  .bss : { *(.bss .bss.*) *(COMMON) } > ram
  .vectors 0xfffe : { KEEP(*(.reset)) } > vectors
}
