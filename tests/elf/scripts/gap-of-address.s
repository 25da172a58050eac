// A section of a gap alone is there if the gap has bytes in the end, though its width is an address that
// is found only when all sections have theirs.
//# link: main.o -T script.ld
//# section: .gap size=section(.gap).address+symbol(place).value type=NOBITS flags=WA
//# section: .next address=section(.gap).end
//# lint-except: nobits-in-file GNU ld has gaps before bytes in the file too
//# peers: ld
.globl _start, place
_start:
  ret
.section .late,"aw"
.quad 1
place: .quad 1
.section .next,"aw"
.long 2
.section .note.GNU-stack,"",@progbits
//# file: script.ld
SECTIONS {
  . = 0x1000 + SIZEOF_HEADERS;
  .text : { *(.text) }
  . = ALIGN(0x1000);
  .late : { *(.late) }
  .gap : { . += place; }
  .next : { *(.next) }
}
