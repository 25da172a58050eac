# Compressed sections whose declared size is impossible, or not what comes out of them, are errors
# that name file and section.
//# driver: ld
//# peers: none
//# variant: absurd: absurd.o
//# variant: absurd-r: -r absurd.o
//# variant: longer: longer.o
//# variant: longer-r: -r longer.o
//# variant: shorter: shorter.o
//# variant: shorter-r: -r shorter.o
//# variant: damaged: damaged.o
//# variant: damaged-r: -r damaged.o
//# variant: frame: frame.o
//# variant: frame-r: -r frame.o
//# variant: cut: cut.o
//# variant: cut-r: -r cut.o
//# @absurd,absurd-r expect-error: absurd\.o: section \.debug_foo: uncompressed size 0x100000000 is more than the section can hold
//# @longer,longer-r expect-error: longer\.o: section \.debug_foo: uncompressed data does not have the declared size 0x4
//# @shorter,shorter-r expect-error: shorter\.o: section \.debug_foo: uncompressed data does not have the declared size 0x6
//# @damaged,damaged-r expect-error: damaged\.o: section \.debug_foo: corrupt zlib data
//# @frame,frame-r expect-error: frame\.o: section \.debug_foo: uncompressed data does not have the declared size 0x63
//# @cut,cut-r expect-error: cut\.o: section \.debug_foo: corrupt zstd data
        .globl  _start
_start: ret
//# file: absurd.yaml
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_X86_64 }
Sections:
  - Name: .debug_foo
    Type: SHT_PROGBITS
    Flags: [ SHF_COMPRESSED ]
    Content: 010000000000000000000000010000000100000000000000789ccb48cdc9c90700062c0215
//# file: longer.yaml
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_X86_64 }
Sections:
  - Name: .debug_foo
    Type: SHT_PROGBITS
    Flags: [ SHF_COMPRESSED ]
    Content: 010000000000000004000000000000000100000000000000789ccb48cdc9c90700062c0215
//# file: shorter.yaml
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_X86_64 }
Sections:
  - Name: .debug_foo
    Type: SHT_PROGBITS
    Flags: [ SHF_COMPRESSED ]
    Content: 010000000000000006000000000000000100000000000000789ccb48cdc9c90700062c0215
//# file: damaged.yaml
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_X86_64 }
Sections:
  - Name: .debug_foo
    Type: SHT_PROGBITS
    Flags: [ SHF_COMPRESSED ]
    Content: 010000000000000005000000000000000100000000000000789ccb48ffc9c90700062c0215
//# file: frame.yaml
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_X86_64 }
Sections:
  - Name: .debug_foo
    Type: SHT_PROGBITS
    Flags: [ SHF_COMPRESSED ]
    Content: 02000000000000006300000000000000010000000000000028b52ffd20646500002868656c6c6f01008ca96801
//# file: cut.yaml
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_X86_64 }
Sections:
  - Name: .debug_foo
    Type: SHT_PROGBITS
    Flags: [ SHF_COMPRESSED ]
    Content: 02000000000000006400000000000000010000000000000028b52ffd20646500002868656c6c6f01008ca968
