# What has no room where a class is referred to first goes to the next reference; a section that
# belongs to the class makes room for one that does not; the room for load addresses counts, too.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 no section of the linker's own follows those of a script
//# driver: ld
//# variant: later: -T later.ld
//# variant: earlier: -T earlier.ld
//# variant: loaded: -T loaded.ld
//# variant: merged: -T merged.ld
//# variant: full: -T full.ld
//# link: main.o -z noexecstack --no-check-sections
//# @later section: .first address=0x0 size=1
//# @later section: .last address=0x8 size=2
//# @earlier section: .first address=0x0 size=2
//# @earlier section: .last address=0x2 size=1
//# @loaded section: .first address=0x0 size=1
//# @loaded section: .last address=0x3 size=2
//# @merged section: .merged address=0x1 size=2
//# @merged no-section: .early
//# @full expect-error: section .last does not fit in memory region B: it ends at 0x3, 1 bytes behind the region
//# peers: none
.globl _start
.text
_start: .zero 1
.section .one,"a"
.zero 1
.section .two,"a"
.zero 2
.section .merge,"aM",@progbits,1
.byte 1, 2, 1
//# file: later.ld
MEMORY { A : ORIGIN = 0, LENGTH = 2  B : ORIGIN = 2, LENGTH = 16 }
SECTIONS {
    CLASS(c) { *(.two) }
    .first : SUBALIGN(1) { *(.one) CLASS(c) } >A
    .middle : SUBALIGN(1) { } >B
    .last : SUBALIGN(8) { CLASS (c) } >B
    /DISCARD/ : { *(.text .merge) }
}
//# file: earlier.ld
MEMORY { A : ORIGIN = 0, LENGTH = 2  B : ORIGIN = 2, LENGTH = 1 }
SECTIONS {
    CLASS(c) { *(.one) }
    .first : { CLASS(c) *(.two) } >A
    .last : { CLASS(c) } >B
    /DISCARD/ : { *(.text .merge) }
}
//# file: loaded.ld
MEMORY {
    A : ORIGIN = 0, LENGTH = 3  B : ORIGIN = 3, LENGTH = 3
    LA : ORIGIN = 6, LENGTH = 2  LB : ORIGIN = 8, LENGTH = 2
}
SECTIONS {
    CLASS(c) { *(.two) }
    .first : { *(.one) CLASS(c) } >A AT>LA
    .last : { CLASS(c) } >B AT>LB
    /DISCARD/ : { *(.text .merge) }
}
//# file: merged.ld
MEMORY { A : ORIGIN = 0, LENGTH = 1  B : ORIGIN = 1, LENGTH = 2 }
SECTIONS {
    CLASS(c) { *(.merge) }
    .early : { CLASS(c) } >A
    .merged : { CLASS(c) } >B
    /DISCARD/ : { *(.text .one .two) }
}
//# file: full.ld
MEMORY { A : ORIGIN = 0, LENGTH = 1  B : ORIGIN = 1, LENGTH = 1 }
SECTIONS {
    CLASS(c) { *(.two) }
    .first : { *(.one) CLASS(c) } >A
    .last : { CLASS(c) } >B
    /DISCARD/ : { *(.text .merge) }
}
