// Sections of data alone that INSERT puts into the default layout are what their names say: written to,
// code, arrays, notes. So they share a segment with the sections beside them.
//# link: main.o -static -T insert.ld
//# run: exit=21
//# section: .data.x flags=WA type=PROGBITS
//# section: .text.x flags=AX type=PROGBITS
//# section: .bss.x flags=WA type=PROGBITS
//# section: .bss.gap flags=WA type=NOBITS size=16
//# section: .preinit_array flags=WA type=PREINIT_ARRAY entsize=8
//# section: .note.x flags=A type=NOTE
//# section: .rodata.x flags=A type=PROGBITS
//# section: .other flags=A type=PROGBITS
//# section: .typed flags=A type=NOTE
//# section: .read flags=A type=PROGBITS
//# segment: NOTE address=section(.note.x).address
//# segment: LOAD flags=RX count=1
//# peers: ld
.globl _start
_start:
  movl $9, data(%rip)
  mov data(%rip), %edi
  call code
  mov $60, %eax
  syscall
.data
.long 1
.section .rodata
.long 1
.section .note.GNU-stack,"",@progbits
//# file: insert.ld
SECTIONS {
  .rodata.x : { LONG(1) }
  .other : { BYTE(1) }
  .typed (TYPE = SHT_NOTE) : { LONG(0) LONG(0) LONG(1) }
  .read (READONLY) : { LONG(0) }
  .note.x : ALIGN(4) { LONG(4) LONG(0) LONG(1) LONG(0x414141) }
} INSERT AFTER .rodata;
SECTIONS { .text.x : { BYTE(0x83) BYTE(0xc7) BYTE(12) BYTE(0xc3) } code = ADDR(.text.x); } INSERT AFTER .text;
SECTIONS {
  .preinit_array : { QUAD(0) }
  .data.x : { data = .; LONG(1) }
} INSERT BEFORE .data;
SECTIONS { .bss.x : { LONG(1) } .bss.gap : { . += 16; } } INSERT AFTER .bss;
