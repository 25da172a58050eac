// Values of expressions are numbers, addresses or offsets in an output section, and what an assignment
// makes of them depends on where it stands, as for GNU ld.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# driver: ld
//# link: main.o -T layout.ld
//# peers: ld
//# symbol: number_outside value=5 section=ABS
//# symbol: of_dot value=0x40008 section=.data
//# symbol: sum value=0x10004 section=ABS
//# symbol: difference value=0x30000 section=ABS
//# symbol: address_of value=0x10000 section=.text
//# symbol: double_dot value=0x80018 section=.data
//# symbol: next value=0x41000 section=ABS
//# symbol: number_inside value=0x4000d section=.tail
//# symbol: absolute_inside value=0x40009 section=ABS
//# symbol: offset_twice value=0x40012 section=.tail
//# symbol: moved value=0x40028 section=.tail
//# symbol: log value=0 section=ABS
//# symbol: whether value=1 section=ABS
//# symbol: otherwise value=2 section=ABS
    .globl _start
_start: ret
    .data
    .quad 1
//# file: layout.ld
ENTRY(_start)
number_outside = 5;
SECTIONS
{
  . = 0x10000;
  .text : { *(.text*) }
  . = 0x40000;
  .data : { *(.data*) }
  of_dot = .;
  address_of = ADDR(.text);
  sum = ADDR(.text) + number_outside - 1;
  difference = ADDR(.data) - ADDR(.text);
  double_dot = (. + 4) * 2;
  next = NEXT(0x1000);
  whether = DEFINED(_start) ? 1 : 2;
  otherwise = DEFINED(nobody) ? 1 : 2;
  .tail : {
    BYTE(0)
    number_inside = 5;
    inside = .;
    absolute_inside = ABSOLUTE(.);
    offset_twice = number_inside * 2;
    . = 0x20;
    moved = .;
    BYTE(1)
  }
  log = LOG2CEIL(inside);
  /DISCARD/ : { *(.note*) }
}
