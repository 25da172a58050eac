# Without an entry symbol a script in place of the default layout gives no warning, as it asks for
# no entry; -e and ENTRY, INSERT and the default layout do, with --fatal-warnings an error.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start
//# @library machines: x86-64 i386 x32 pages have 4 KiB
//# driver: ld
//# compile: -Wa,--noexecstack
//# variant: plain: main.o -T plain.ld --fatal-warnings
//# variant: default: main.o -dT plain.ld --fatal-warnings
//# variant: assigns: main.o -T assigns.ld --fatal-warnings
//# variant: library: main.o -T named.ld -shared --fatal-warnings
//# variant: option: main.o -T plain.ld -e nowhere
//# variant: named: main.o -T named.ld
//# variant: insert: main.o -T insert.ld
//# variant: among: main.o assigns.ld
//# variant: text: main.o -Ttext=0x10000
//# variant: fatal: main.o --fatal-warnings
//# variant: fatal-insert: main.o -T insert.ld --fatal-warnings
//# @plain,default,assigns,library no-warning: .
//# @plain,default header: entry=section(.text).address
//# @option,named warning: cannot find entry symbol nowhere
//# @insert,among,text warning: cannot find entry symbol _start
//# @fatal,fatal-insert expect-error: cannot find entry symbol _start
//# peers: ld
.text
    nop
.globl main
main: nop
.section .note.GNU-stack,""
//# file: plain.ld
SECTIONS { . = 0x10000 + SIZEOF_HEADERS; .text : { *(.text) } }
//# file: named.ld
ENTRY(nowhere)
SECTIONS { . = SIZEOF_HEADERS; .text : { *(.text) } . = ALIGN(0x1000); .dynamic : { *(.dynamic) } }
//# file: assigns.ld
one = 1;
//# file: insert.ld
SECTIONS { .own : { *(.own) } } INSERT AFTER .data;
