// PHDRS lists the program headers, and no others are made; a section without a name of one goes where
// the section before it goes.
//# compile: -O1 -fno-pic -fno-asynchronous-unwind-tables
//# driver: ld
//# link: main.o -T layout.ld
//# peers: ld
//# run: exit=0
//# header: segments=4
//# segment: LOAD address=0x10000 offset=0 flags=RX
//# segment: LOAD address=0x20000 flags=RW physical=0x1b000
//# segment: GNU_STACK flags=RW
//# segment: NOTE count=1
int data = 5, zeros[10];
void _start(void) {
    zeros[1] = data;
    __asm__ volatile("syscall" : : "a"(60), "D"(0));
}
//# file: layout.ld
ENTRY(_start)
PHDRS {
  text PT_LOAD FILEHDR PHDRS;
  data PT_LOAD FLAGS(6);
  note PT_NOTE FLAGS(4);
  stack PT_GNU_STACK FLAGS(6);
}
SECTIONS
{
  . = 0x10000 + SIZEOF_HEADERS;
  .text : { *(.text*) *(.rodata*) } :text
  .id : { BYTE(1) }
  . = 0x20000;
  .data : AT(ADDR(.data) - 0x5000) { *(.data*) } :data
  .bss : { *(.bss) }
  /DISCARD/ : { *(.comment) *(.note*) }
}
