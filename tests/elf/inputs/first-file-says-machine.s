# Without -m the machine is that of the first file: of an object, of an archive by its first member,
# of a script by what it names; of a library of -l only where there is nothing else. A mix is
# refused, and both files are named; a first file for a machine that nothing is linked for is
# refused by its machine's name.
//# driver: ld
//# link: -static
//# variant: object: main.o other.o
//# variant: archive: main.a other.o
//# variant: script: said.txt other.o main.o
//# variant: given-script: -T said.txt other.o main.o
//# variant: library: -L. -l:main.a other.o
//# variant: option: -m elf_x86_64 other.o main.o
//# variant: format: --oformat=elf64-x86-64 other.o main.o
//# variant: unknown: other.o main.o
//# variant: unknown-behind-script: unread.txt other.o main.o
//# archive: main.a main.o
//# @object,archive,script,given-script,option,format expect-error: other\.o: is an ELF file for BPF, incompatible with
//# @object expect-error: incompatible with main\.o, which is for x86-64
//# @archive expect-error: incompatible with main\.a, which is for x86-64
//# @script,given-script expect-error: incompatible with said\.txt, which is for x86-64
//# @option,format expect-error: incompatible with elf_x86_64
//# @unknown,unknown-behind-script,library expect-error: other\.o: is a 64-bit little-endian ELF file for BPF, which -m has no emulation for
//# @unknown,unknown-behind-script,library no-error: main\.o
//# peers: none
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
//# file: other.yaml
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_BPF }
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [SHF_ALLOC, SHF_EXECINSTR], Content: 'C0035FD6' }
Symbols:
  - { Name: other, Section: .text, Binding: STB_GLOBAL }
//# file: said.txt
OUTPUT_FORMAT(elf64-x86-64)
//# file: unread.txt
SEARCH_DIR(.)
