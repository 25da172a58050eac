// An object for another machine does not fit.
//# machines: x86-64 i386 x32 its other object is for AArch64
//# link: -static
//# expect-error: other\.o.*incompatible|incompatible.*other\.o
.globl _start
_start: ret
//# file: other.yaml
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_AARCH64 }
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [SHF_ALLOC, SHF_EXECINSTR], Content: 'C0035FD6' }
Symbols:
  - { Name: other, Section: .text, Binding: STB_GLOBAL }
