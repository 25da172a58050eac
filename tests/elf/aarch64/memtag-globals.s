// Variables in tagged memory: the loader has a table of them, finds tags by fields of relative relocations, and loads
// from the GOT stay. One that another object uses without its tag has none.
//# variant: shared: -shared -z memtag-mode=sync -z pack-relative-relocs
//# variant: pie: -pie --dynamic-linker=/lib/ld.so -z memtag-mode=async
//# variant: static: -static -z memtag-mode=sync
//# variant: applied: -shared -z memtag-mode=sync --apply-dynamic-relocs
//# variant: untagged: -shared
//# link: main.o other.o
//# @shared,pie section: .memtag.globals.dynamic type=0x70000008 align=4 size=5
//# @shared,pie no-section: .memtag.globals.static
//# @static,untagged no-section: .memtag.globals.dynamic
//# @static,untagged no-section: .memtag.globals.static
//# @shared,pie bytes: section(.memtag.globals.dynamic).address+3 = 00 07
//# @shared,pie check: readelf -d $OUT | grep -i "7000000d.*0x2"
//# @shared,pie check: readelf -d $OUT | grep -i "7000000f.*0x5$"
//# @shared no-section: .relr.dyn
//# @shared,pie word64: symbol(pointers).value = 0
//# @shared,pie word64: symbol(pointers).value+8 = 0xffffffffffffff80
//# @shared,pie word64: symbol(pointers).value+16 = 4
//# @shared,pie word64: symbol(pointers).value+24 = 0
//# @shared,pie reloc: R_AARCH64_RELATIVE place=symbol(pointers).value addend=symbol(large).value+127
//# @shared,pie reloc: R_AARCH64_RELATIVE place=symbol(pointers).value+8 addend=symbol(large).value+128
//# @shared,pie reloc: R_AARCH64_RELATIVE place=symbol(pointers).value+16 addend=symbol(small).value-4
//# @shared,pie reloc: R_AARCH64_RELATIVE place=symbol(pointers).value+24 addend=symbol(mixed).value+64
//# @shared,pie reloc: R_AARCH64_RELATIVE addend=symbol(small).value
//# @shared,pie section: .got size=16
//# @applied expect-error: --apply-dynamic-relocs cannot be used with MTE globals
//# peers: none
//# file: main.s
.globl _start, small, large, mixed, pointers
.hidden small, large, mixed, pointers
_start:
  adrp x0, :got:small
  ldr x0, [x0, #:got_lo12:small]
  adrp x1, :got:mixed
  ldr x1, [x1, #:got_lo12:mixed]
.size _start, . - _start
.data
.balign 16
.type small, %object
small: .zero 16
.size small, 16
.type large, %object
large: .zero 128
.size large, 128
.type mixed, %object
mixed: .zero 16
.size mixed, 16
pointers: .xword large + 127, large + 128, small - 4, mixed + 64
.section .memtag.globals.static,"",%0x70000007
.reloc 0, R_AARCH64_NONE, small
.reloc 0, R_AARCH64_NONE, large
.reloc 0, R_AARCH64_NONE, mixed
.zero 1
.section .note.GNU-stack,"",%progbits
//# file: other.s
.hidden mixed
.data
.word mixed - .
.section .note.GNU-stack,"",%progbits
