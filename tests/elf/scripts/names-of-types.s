// TYPE says what a section of data is, by name or number, and READONLY may stand around it. Where the
// name of the section or its inputs say another type, that holds.
//# machines: x86-64 aarch64 addresses, and what is made of them, have eight bytes
//# link: main.o -e 0 -z noexecstack -T layout.ld
//# no-warning: type
//# section: .note type=NOTE flags=A
//# section: .number type=NOTE flags=A
//# section: .none type=NOBITS size=4
//# section: .first type=INIT_ARRAY entsize=8
//# section: .last type=FINI_ARRAY entsize=8
//# section: .before type=PREINIT_ARRAY entsize=8
//# section: .bits type=PROGBITS
//# section: .sum type=NOTE
//# section: .around type=NOTE flags=A
//# section: .init_array.x type=INIT_ARRAY
//# section: .note.x type=NOTE
//# section: .data type=PROGBITS flags=WA
//# section: .mixed type=PROGBITS flags=WA
//# section: .gap type=NOBITS
//# lint-except: writable-code one segment
//# lint-except: startup arrays of numbers
//# peers: ld
.text
ret
.data
.long 1
.section .more,"aw"
.long 2
//# file: layout.ld
SECTIONS {
  . = 0x10000;
  .text : { *(.text) }
  .note (TYPE = SHT_NOTE) : { LONG(0) LONG(0) LONG(1) }
  .number (TYPE = 7) : { LONG(0) LONG(0) LONG(1) }
  .sum (TYPE = 3 + 4) : { LONG(0) LONG(0) LONG(1) }
  .first (TYPE = SHT_INIT_ARRAY) : { QUAD(1) }
  .last (TYPE = SHT_FINI_ARRAY) : { QUAD(1) }
  .before (TYPE = SHT_PREINIT_ARRAY) : { QUAD(1) }
  .bits (TYPE = SHT_PROGBITS) : { QUAD(1) }
  .around (READONLY (TYPE = SHT_NOTE)) : { LONG(0) LONG(0) LONG(1) }
  .init_array.x (TYPE = SHT_NOTE) : { QUAD(1) }
  .note.x (TYPE = SHT_PROGBITS) : { LONG(0) LONG(0) LONG(1) }
  .data (TYPE = SHT_NOTE) : { *(.data) }
  .mixed (TYPE = SHT_NOTE) : { LONG(1) *(.more) }
  .none (TYPE = SHT_NOBITS) : { LONG(0) }
  .gap (TYPE = SHT_NOTE) : { . += 4; }
}
