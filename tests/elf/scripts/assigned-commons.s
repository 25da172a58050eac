// A common symbol that a script or an option assigns is what is assigned, and takes no room; one whose
// value needs the common symbol or an address of a section is given room first. The size is the object's.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 no section of the linker's own follows those of a script
//# link: main.o --defsym=option=0x30000 -T script.ld
//# section: .common size=32
//# symbol: number value=0x20000 size=8 type=OBJECT section=ABS
//# symbol: option value=0x30000 size=8 section=ABS
//# symbol: alias value=symbol(other).value size=8
//# symbol: dot value=section(.text).address size=8
//# symbol: behind value=5 size=8
//# symbol: own value>=section(.common).address+4 size=8
//# symbol: late value=section(.text).address size=8
//# symbol: provided section=.common size=8
//# symbol: asked section=.common size=8
//# peers: ld
.globl _start, other
_start:
  .zero 16
other:
  .zero 8
.comm own, 8, 8
.comm number, 8, 8
.comm option, 8, 8
.comm alias, 8, 8
.comm dot, 8, 8
.comm behind, 8, 8
.comm late, 8, 8
.comm provided, 8, 8
.comm asked, 8, 8
.section .note.GNU-stack,"",@progbits
//# file: script.ld
number = 0x20000;
behind = value;
value = 5;
late = ADDR(.text);
PROVIDE(provided = 1);
asked = DEFINED(asked) ? asked : 1;
alias = other;
own = own + 4;
SECTIONS { . = 0x10000 + SIZEOF_HEADERS; dot = .; .text : { *(.text) } . = ALIGN(0x1000); .common : { *(COMMON) } }
