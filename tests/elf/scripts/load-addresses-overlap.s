// Two sections at one load address are an error: a loader would put one over the other. Zeros are not in
// what it loads.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 no section of the linker's own follows those of a script
//# variant: overlap: -T overlap.ld
//# variant: allowed: -T overlap.ld --no-check-sections
//# variant: zeros: -T zeros.ld
//# variant: both: -T both.ld
//# link: main.o -e 0
//# @zeros lint-except: load-order load addresses are in another order
//# peers: ld
//# @overlap expect-error: section \.\w+ .*overlaps
//# @allowed segment: LOAD physical=0x10004
//# @zeros segment: LOAD physical=0x10004
//# @both expect-error: section has both a load address and a load region
.text
.quad 0
.data
.long 7
.bss
.long 0
.section .note.GNU-stack,"",@progbits
//# file: overlap.ld
SECTIONS {
  .text 0x10000 : { *(.text) }
  .data 0x20000 : AT(0x10004) { *(.data) }
  .bss 0x30000 : AT(0x30000) { *(.bss) }
}
//# file: zeros.ld
SECTIONS {
  .text 0x10000 : { *(.text) }
  .data 0x20000 : { *(.data) }
  .bss 0x30000 : AT(0x10004) { *(.bss) }
}
//# file: both.ld
MEMORY { rom : ORIGIN = 0x10000, LENGTH = 0x100 ram : ORIGIN = 0x20000, LENGTH = 0x100 }
SECTIONS {
  .text : { *(.text) } >rom
  .data : AT(0x10080) { *(.data) } >ram AT>rom
}
