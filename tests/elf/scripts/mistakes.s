// What is wrong in a script is told with its place.
//# driver: ld
//# variant: brace: main.o -T brace.ld
//# variant: region: main.o -T region.ld
//# variant: header: main.o -T header.ld
//# variant: backwards: main.o -T backwards.ld
//# variant: symbol: main.o -T symbol.ld
//# variant: assert: main.o -T assert.ld
//# variant: needed: main.o -T needed.ld -shared
//# variant: include: main.o -T include.ld
//# peers: none
//# @brace expect-error: brace\.ld:2: expected expression, found '\{'
//# @region expect-error: region\.ld:1: memory region nowhere is not declared
//# @header expect-error: header\.ld:1: program header nothing is not declared
//# @backwards expect-error: backwards\.ld:1: cannot move the location counter backwards, from 0x10008 to 0x10001
//# @symbol expect-error: symbol\.ld:1: undefined symbol: nobody, referenced in an expression
//# @assert expect-error: assert\.ld:2: much too large
//# @needed expect-error: discarding section \.got is not possible: the program needs it
//# @include expect-error: scripts include each other too deeply
    .globl _start
    .weak outside
_start: ret
    movq outside@GOTPCREL(%rip), %rax
    .data
    .dc.a _start
//# file: brace.ld
SECTIONS {
  .text { *(.text) } }
//# file: region.ld
SECTIONS { .text : { *(.text) } >nowhere }
//# file: header.ld
PHDRS { text PT_LOAD; } SECTIONS { .text : { *(.text) } :text .data : { *(.data) } :nothing }
//# file: backwards.ld
SECTIONS { .text : { *(.text) } .data 0x10000 : { *(.data) . = 1; } }
//# file: symbol.ld
SECTIONS { .text : { *(.text) } end = nobody + 4; }
//# file: assert.ld
SECTIONS { .text : { *(.text) }
  ASSERT(SIZEOF(.text) == 0, "much too large") }
//# file: needed.ld
SECTIONS { .text : { *(.text) } /DISCARD/ : { *(.got) } }
//# file: include.ld
SECTIONS { INCLUDE include-again.ld }
//# file: include-again.ld
INCLUDE include-again.ld
