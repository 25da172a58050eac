// What is inserted takes its inputs before the statements of the layout that it is inserted into, also
// where it stands behind these; not before those of a script that is read earlier.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# variant: default: -T insert.ld
//# variant: library: -T insert.ld -shared
//# variant: relocatable: -T insert.ld -r
//# variant: script: -T insert.ld -T layout.ld
//# variant: later: -T layout.ld -T insert.ld
//# link: main.o -e 0
//# @default,library,relocatable,script section: .mine size=8
//# @default,library,relocatable,script section: .text.mine size=4
//# @default,library,relocatable,script section: .data size=8
//# @later no-section: .mine
//# @later section: .data size=16
//# @later peers: lld
//# peers: ld lld
//# lint-except: writable-code the script puts all into one segment
.section .text.mine.a, "ax"
.long 0
.section .data.mine, "aw"
.quad 1
.data
.quad 2
.section .note.GNU-stack,"",@progbits
//# file: insert.ld
SECTIONS {
  .mine : { *(.data.mine) }
  .text.mine : { *(.text.mine.*) }
} INSERT AFTER .data;
//# file: layout.ld
SECTIONS { .text : { *(.text .text.*) } .data : { *(.data .data.*) } }
