// Names of memory regions and program headers may have operators in them, as for GNU ld and lld.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 no section of the linker's own follows those of a script
//# variant: regions: -T regions.ld
//# variant: headers: -T headers.ld
//# link: main.o -e 0
//# @regions section: .text address=0x10000
//# @regions segment: LOAD address=0x40000 physical=0x10004
//# @headers segment: LOAD flags=RWX sections~.text
//# @headers lint-except: writable-code the script says so
//# peers: ld lld
.text
.long 1
.data
.long 2
.section .note.GNU-stack,"",@progbits
//# file: regions.ld
MEMORY { r-am.x (rwx) : ORIGIN = 0x40000, LENGTH = 64K ro_m/1 : ORIGIN = 0x10000, LENGTH = 64K }
SECTIONS { .text : { *(.text) } >ro_m/1 .data : { *(.data) } > r-am.x AT> ro_m/1 =0x90 }
//# file: headers.ld
PHDRS { text-seg PT_LOAD FLAGS(7); d.1 PT_LOAD; }
SECTIONS { . = 0x10000; .text : { *(.text) } :text-seg .data : { *(.data) } :d.1 =0x90 }
