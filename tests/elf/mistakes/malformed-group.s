// Section groups that make no sense are errors, and so are flags whose meaning nobody knows.
//# variant: flags: -static main.o flags.o
//# variant: entries: -static main.o entries.o
//# variant: size: -static main.o size.o
//# variant: empty: -static main.o empty.o
//# variant: signature: -static main.o signature.o
//# variant: member: -static main.o member.o
//# @flags expect-error: flags.o: .*(has unknown flags: 0x2|unsupported SHT_GROUP format)
//# @entries expect-error: entries.o: .*(has entries of 8 bytes|invalid sh_entsize: expected 4, but got 8)
//# @size expect-error: size.o: .*(not a multiple of)
//# @empty expect-error: empty.o: .*(is empty|empty SHT_GROUP)
//# @signature expect-error: signature.o: .*(invalid signature|invalid symbol index)
//# @member expect-error: member.o: .*(invalid member)
//# @flags,entries,size,empty,signature peers: lld
//# @member peers: none
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
//# file: flags.yaml
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_X86_64 }
Sections:
  - Name: .group
    Type: SHT_GROUP
    Link: .symtab
    Info: f
    EntSize: 4
    Content: "0200000003000000"
  - { Name: .text, Type: SHT_PROGBITS, Flags: [SHF_ALLOC], Content: "c3" }
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [SHF_ALLOC, SHF_GROUP], Content: "c3" }
Symbols:
  - { Name: f, Section: .text.f, Binding: STB_GLOBAL }
//# file: entries.yaml
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_X86_64 }
Sections:
  - Name: .group
    Type: SHT_GROUP
    Link: .symtab
    Info: f
    EntSize: 8
    Content: "0100000003000000"
  - { Name: .text, Type: SHT_PROGBITS, Flags: [SHF_ALLOC], Content: "c3" }
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [SHF_ALLOC, SHF_GROUP], Content: "c3" }
Symbols:
  - { Name: f, Section: .text.f, Binding: STB_GLOBAL }
//# file: size.yaml
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_X86_64 }
Sections:
  - Name: .group
    Type: SHT_GROUP
    Link: .symtab
    Info: f
    EntSize: 4
    Content: "01000000030000"
  - { Name: .text, Type: SHT_PROGBITS, Flags: [SHF_ALLOC], Content: "c3" }
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [SHF_ALLOC, SHF_GROUP], Content: "c3" }
Symbols:
  - { Name: f, Section: .text.f, Binding: STB_GLOBAL }
//# file: empty.yaml
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_X86_64 }
Sections:
  - Name: .group
    Type: SHT_GROUP
    Link: .symtab
    Info: f
    EntSize: 4
    Content: ""
  - { Name: .text, Type: SHT_PROGBITS, Flags: [SHF_ALLOC], Content: "c3" }
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [SHF_ALLOC, SHF_GROUP], Content: "c3" }
Symbols:
  - { Name: f, Section: .text.f, Binding: STB_GLOBAL }
//# file: signature.yaml
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_X86_64 }
Sections:
  - Name: .group
    Type: SHT_GROUP
    Link: .symtab
    Info: 99
    EntSize: 4
    Content: "0100000003000000"
  - { Name: .text, Type: SHT_PROGBITS, Flags: [SHF_ALLOC], Content: "c3" }
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [SHF_ALLOC, SHF_GROUP], Content: "c3" }
Symbols:
  - { Name: f, Section: .text.f, Binding: STB_GLOBAL }
//# file: member.yaml
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_X86_64 }
Sections:
  - Name: .group
    Type: SHT_GROUP
    Link: .symtab
    Info: f
    EntSize: 4
    Content: "0100000063000000"
  - { Name: .text, Type: SHT_PROGBITS, Flags: [SHF_ALLOC], Content: "c3" }
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [SHF_ALLOC, SHF_GROUP], Content: "c3" }
Symbols:
  - { Name: f, Section: .text.f, Binding: STB_GLOBAL }
