# A library starts at _start if it has one, as the dynamic linker itself does; others start nowhere.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start
//# driver: ld
//# variant: plain: -shared
//# variant: named: -shared -e other
//# variant: collected: -shared --gc-sections --version-script=local.map
//# variant: none: -shared --defsym=_start=0
//# @plain,collected header: entry=symbol(_start).value
//# @named header: entry=symbol(other).value
//# @none header: entry=0
//# shared: libnone.so none.o
//# link: main.o
.text
nop
.globl _start, other
.weak _start
_start: nop
other: ret
.section .note.GNU-stack,"",@progbits
//# file: none.s
.globl f
f: ret
.section .note.GNU-stack,"",@progbits
//# look-at: libnone.so
//# header: entry=0
//# file: local.map
{ local: *; };
