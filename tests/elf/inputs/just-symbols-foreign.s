# Addresses of a program for another machine mean nothing here: it is refused as an input would be.
//# driver: ld
//# sh: as --32 -o narrow.o narrow.asm
//# variant: machine: --just-symbols=other.o
//# variant: class: --just-symbols=narrow.o
//# link: main.o -m elf_x86_64
//# @machine expect-error: other\.o: is an ELF file for AArch64, incompatible with elf_x86_64
//# @class expect-error: narrow\.o: is an ELF file of 32-bit class for i386, incompatible with elf_x86_64
//# peers: none
//# file: narrow.asm
.globl foo
foo:
//# file: main.s
.globl _start
_start: movb foo(%rip), %bl
.section .note.GNU-stack,"",@progbits
//# file: other.yaml
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_AARCH64 }
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [SHF_ALLOC, SHF_WRITE], Content: '00' }
Symbols:
  - { Name: foo, Section: .data, Binding: STB_GLOBAL }
