// Symbols that are known by their address alone have the section at that address, though one that is not
// loaded stands before it.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 no section of the linker's own follows those of a script
//# link: main.o -e 0 -T script.ld
//# section: .mid size=0
//# symbol: __start_foo section=foo
//# symbol: __stop_foo section=foo
//# peers: ld
.text
.quad __start_foo, __stop_foo
.section foo, "a"
.quad 1
.section .note.GNU-stack,"",@progbits
//# file: script.ld
SECTIONS { . = 0x10000; .text : { *(.text) } .mid : { . = ALIGN(16); } foo : { *(foo) } }
