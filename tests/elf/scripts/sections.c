// SECTIONS of a script decides which output sections there are, where they are, and what symbols of it
// mean; sections that it does not name stand behind those that are like them.
//# compile: -O1 -fno-pic -fno-asynchronous-unwind-tables
//# driver: ld
//# link: main.o -T layout.ld -z noexecstack
//# peers: ld
//# run: exit=7
//# section: .text address=symbol(_start).value flags=AX
//# section: .rodata size=11
//# word32: section(.rodata).address+7 = 0x12345678
//# word8: section(.rodata).address+6 = 1
//# section: .data address=0x401000
//# word64: section(.data).end-8 = symbol(text_end).value
//# section: foo address=section(.data).end flags=WA
//# section: .bss size>=72 type=NOBITS
//# no-section: .comment
//# symbol: start_of_data value=0x401000 section=.data
//# symbol: text_end value=section(.text).end section=.text
//# symbol: low value=0x42 section=ABS
//# symbol: image_end value=section(.bss).end section=.bss
//# segment: LOAD count=3
#define PLACED __attribute__((section("foo")))
int initialised = 5, zeros[10];
PLACED int orphan = 3;
extern char image_end[], start_of_data[], low[];
static const char text[] = "12345";
const char *volatile shown = text;
void _start(void) {
    long ok = image_end > start_of_data && low == (char *)0x42 && shown[4] == '5';
    zeros[3] = orphan + initialised - (ok ? 1 : 0);
    __asm__ volatile("syscall" : : "a"(60), "D"(zeros[3]));
}
//# file: layout.ld
ENTRY(_start)
low = 0x42;
SECTIONS
{
  . = 0x400000 + SIZEOF_HEADERS;
  .text : { *(.text.hot*) *(.text .text.*) . = ALIGN(16); text_end = .; }
  .rodata : { *(.rodata .rodata.*) BYTE(1) LONG(0x12345678) }
  . = ALIGN(0x1000);
  start_of_data = .;
  .data : { *(.data .data.*) . = ALIGN(8); QUAD(text_end) }
  .bss : { *(.bss) *(COMMON) . = . + 32; }
  image_end = .;
  ASSERT(image_end > 0x400000, "too low")
  /DISCARD/ : { *(.comment) *(.note*) }
}
