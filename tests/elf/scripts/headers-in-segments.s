// PHDRS: AT is the load address of the segment, where its headers are if it has them; FILEHDR and PHDRS
// say which headers a segment covers, whatever its type.
//# @both machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le pages of 1 MiB are larger than the distances here
//# @programs-at machines: x86-64 aarch64 the file header has 64 bytes
//# @notes,phdr,programs machines: x86-64 aarch64 addresses, and what is made of them, have eight bytes
//# variant: both: -T both.ld
//# variant: programs: -T programs.ld
//# variant: programs-at: -T programs-at.ld
//# variant: phdr: -T phdr.ld
//# variant: notes: -T notes.ld
//# link: main.o -e 0
//# lint-except: segment-outside-load the file header is in none
//# lint-except: note-segment they hold headers
//# peers: ld
//# @programs-at peers: lld
//# @both segment: LOAD offset=0 address=0x10000 physical=0x100000 flags=RX
//# @both segment: LOAD physical=0x200000 address=0x11010
//# @programs segment: LOAD offset=0x40 address=0x10040 physical=0x10040
//# @programs-at segment: LOAD offset=0x40 address=0x10040 physical=0x100000
//# @phdr segment: PHDR offset=0x40 address=0x10040 physical=0x5000
//# @phdr segment: LOAD offset=0 address=0x10000 physical=0x300000
//# @notes segment: LOAD offset=0 address=0x10000
//# @notes segment: NOTE offset=0 address=0x10000 filesz=0x120 flags=R
//# @notes segment: NOTE offset=0x40 address=0x10040 filesz=0xe0 flags=R
.text
ret
.data
.long 7
.section .note.GNU-stack,"",@progbits
//# file: both.ld
PHDRS { text PT_LOAD FILEHDR PHDRS AT(0x100000); data PT_LOAD AT(0x200000); }
INCLUDE sections.ld
//# file: programs.ld
PHDRS { text PT_LOAD PHDRS; data PT_LOAD; }
INCLUDE sections.ld
//# file: programs-at.ld
PHDRS { text PT_LOAD PHDRS AT(0x100000); data PT_LOAD; }
INCLUDE sections.ld
//# file: phdr.ld
PHDRS { own PT_PHDR PHDRS AT(0x5000); text PT_LOAD FILEHDR PHDRS AT(0x300000); data PT_LOAD; }
INCLUDE sections.ld
//# file: notes.ld
PHDRS { a PT_NOTE FILEHDR PHDRS; b PT_NOTE PHDRS; text PT_LOAD FILEHDR PHDRS; data PT_LOAD; }
INCLUDE sections.ld
//# file: sections.ld
SECTIONS {
  . = 0x10000 + SIZEOF_HEADERS;
  .text : { *(.text) } :text
  . = ALIGN(0x1000) + 0x10;
  .data : { *(.data) } :data
}
