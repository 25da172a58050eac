# An image that is not ELF has no segments to warn of.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le its PLT is not written by the loader
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# warning: RWX
//# check: test -z "$($LD main.o -z noexecstack -T layout.ld -o image --oformat binary 2>&1)"
//# check: test -z "$($LD main.o -z noexecstack -T binary.ld -o image 2>&1)"
//# lint-except: writable-code the script puts all into one segment
//# peers: ld
.globl _start
_start: ret
.data
.quad 1
//# file: layout.ld
SECTIONS { .text : { *(.text) } .data : { *(.data) } }
//# file: binary.ld
OUTPUT_FORMAT("binary")
SECTIONS { .text : { *(.text) } .data : { *(.data) } }
