# NOCROSSREFS and NOCROSSREFS_TO hold without SECTIONS, in a script among the inputs, in one that
# inserts, in a shared library and with -r; the symbol of a section is named by the section.
//# driver: ld
//# variant: program: main.o -T both.ld
//# variant: joined: main.o -r -T both.ld
//# variant: library: main.o -shared -T both.ld
//# variant: implicit: main.o both.ld
//# variant: one: main.o -T one.ld
//# variant: one-joined: main.o -r -T one.ld
//# variant: joined-layout: main.o -r -T layout.ld
//# variant: insert: main.o -T insert.ld
//# variant: fine: main.o -r -T fine.ld
//# @program,joined,library,implicit,joined-layout,insert expect-error: prohibited cross reference from [`']?\.?one'? to [`']?\.?two'? in
//# @program,joined,library,implicit,joined-layout,insert expect-error: prohibited cross reference from [`']?\.two'? to [`']?\.?one'? in
//# @one,one-joined expect-error: prohibited cross reference from [`']?\.two'? to [`']?\.?one'? in
//# @one,one-joined no-error: prohibited cross reference from [`']?\.one
//# @implicit peers: lld
//# @program,joined,library,one,one-joined,joined-layout,insert,fine peers: ld lld
.include "machine.inc"
.globl _start
_start: ret
.section .one,"ax"
one: calls two
.section .two,"ax"
.globl two
two: calls one
.section .note.GNU-stack,""
//# file: both.ld
NOCROSSREFS(.one .two)
//# file: one.ld
NOCROSSREFS_TO(.one .two)
//# file: layout.ld
NOCROSSREFS(.one .two)
SECTIONS { .one : { *(.one) } .two : { *(.two) } .text : { *(.text) } }
//# file: insert.ld
NOCROSSREFS(.one .two)
SECTIONS { .own : { *(.own) } } INSERT AFTER .data;
//# file: fine.ld
NOCROSSREFS(.one .text)
