# Of equal names of a supplementary file one is kept: a debugger that finds several reads what is
# behind the first as its checksum. Different ones are all kept, as by GNU ld and lld, and told of, as
# no debugger reads both; stripping leaves .gnu_debugaltlink, as theirs does.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start
//# driver: ld
//# peers: none
//# requires: readelf
//# archive: lib.a again.o
//# relocatable: joined.o one.o again.o
//# variant: equal: main.o one.o again.o
//# variant: collected: main.o one.o again.o --gc-sections
//# variant: in-archive: main.o one.o --whole-archive lib.a
//# variant: joined: main.o joined.o again.o
//# variant: relocatable: main.o one.o again.o -r
//# variant: script: main.o one.o again.o -T script.ld
//# variant: stripped: main.o one.o again.o other.o --strip-debug
//# variant: different: main.o one.o other.o again.o third.o
//# variant: different-relocatable: main.o one.o other.o again.o third.o -r
//# variant: fatal: main.o one.o other.o --fatal-warnings
//# @equal,collected,in-archive,joined,relocatable,script section: .gnu_debugaltlink size=30
//# @equal,collected,in-archive,joined,relocatable,script section: .debug_sup size=16
//# @equal,collected,in-archive,joined,relocatable,script no-warning: .
//# @equal check: readelf -wk $OUT | grep -q 'Checksum Len: 4'
//# @equal check: readelf -wk $OUT | grep -q 'Build-ID (0x14 bytes)'
//# @stripped section: .gnu_debugaltlink size=60
//# @stripped no-section: .debug_sup
//# @stripped warning: other\.o: \.gnu_debugaltlink names another file than that of one\.o; debuggers find at most one
//# @stripped no-warning: debug_sup
//# @different,different-relocatable section: .gnu_debugaltlink size=90
//# @different,different-relocatable section: .debug_sup size=48
//# @different,different-relocatable contains: .gnu_debugaltlink one.debug count=1
//# @different,different-relocatable contains: .gnu_debugaltlink two.debug count=1
//# @different,different-relocatable warning: other\.o: \.gnu_debugaltlink names another file than that of one\.o
//# @different,different-relocatable warning: other\.o: \.debug_sup names another file than that of one\.o
# The first that differs is told of, and no more.
//# @different,different-relocatable no-warning: third
//# @fatal expect-error: other\.o: \.gnu_debugaltlink names another file
        .globl _start
_start: ret
//# file: one.s
        .section .gnu_debugaltlink, "", @progbits
        .asciz "one.debug"
        .byte 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
        .section .debug_sup, "", @progbits
        .short 5
        .byte 0
        .asciz "one.sup"
        .uleb128 4
        .byte 1, 2, 3, 4
//# file: again.s
        .section .gnu_debugaltlink, "", @progbits
        .asciz "one.debug"
        .byte 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
        .section .debug_sup, "", @progbits
        .short 5
        .byte 0
        .asciz "one.sup"
        .uleb128 4
        .byte 1, 2, 3, 4
//# file: other.s
        .section .gnu_debugaltlink, "", @progbits
        .asciz "two.debug"
        .byte 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
        .section .debug_sup, "", @progbits
        .short 5
        .byte 0
        .asciz "two.sup"
        .uleb128 4
        .byte 1, 2, 3, 4
//# file: third.s
        .section .gnu_debugaltlink, "", @progbits
        .asciz "six.debug"
        .byte 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
        .section .debug_sup, "", @progbits
        .short 5
        .byte 0
        .asciz "six.sup"
        .uleb128 4
        .byte 1, 2, 3, 4
//# file: script.ld
SECTIONS { .text : { *(.text) } .gnu_debugaltlink 0 : { *(.gnu_debugaltlink) } .debug_sup 0 : { *(.debug_sup) } }
