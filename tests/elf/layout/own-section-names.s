// Sections of inputs with names of the linker's own tables are sections like others.
//# variant: static: -static
//# variant: shared: -shared
//# link: --hash-style=both
//# peers:
//# section: .shstrtab type=STRTAB count=1
//# section: .shstrtab type=PROGBITS count=1
//# section: .strtab type=STRTAB count=1
//# section: .symtab type=SYMTAB count=1
//# section: .symtab type=PROGBITS count=1
//# symbol: mark1
//# check: readelf -SW $OUT | grep -q '\.shstrtab *STRTAB'
//# check: nm $OUT | grep -q ' _start$'
//# @shared dynsym: _start
//# @shared section: .dynstr type=STRTAB count=1
//# @shared section: .dynsym type=DYNSYM info=1 count=1
//# @shared check: readelf --dyn-syms -W $OUT | grep -q ' _start$'
//# @static no-segment: INTERP
//# @static run
.globl _start
_start:
  mov $60, %eax
  xor %edi, %edi
  syscall
.macro own name, flags, number
.section \name, "\flags", @progbits
mark\number: .ascii "inputs' \name"
.endm
own .shstrtab, "", 1
own .strtab, "", 2
own .symtab, "", 3
own .dynstr, "a", 4
own .dynsym, "a", 5
own .hash, "a", 6
own .gnu.hash, "a", 7
own .dynamic, "aw", 8
own .rela.dyn, "a", 9
own .got, "aw", 10
own .plt, "ax", 11
own .relr.dyn, "a", 12
own .eh_frame_hdr, "a", 13
own .got.plt, "aw", 14
own .gnu.version, "a", 15
own .relro_padding, "aw", 16
own .symtab_shndx, "", 17
.section .interp, "aw", @nobits
.zero 8
.section .note.GNU-stack,"",@progbits
