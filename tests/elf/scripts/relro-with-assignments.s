// Memory that is read-only after relocation ends with a page also where the script moves the location
// counter in it, or where it reaches into what stands behind: if it cannot end there by itself, what is
// left of the page is padding.
//# @aligned,reaching,plain machines: x86-64 i386 x32 pages have 4 KiB
//# link: main.o -e 0 -T script.ld
//# variant: aligned: --defsym=align=64 --defsym=reach=0
//# variant: reaching: --defsym=align=1 --defsym=reach=24
//# variant: plain: --defsym=align=1 --defsym=reach=0
//# @aligned section: .r address=0x401000
//# @aligned section: .data address=0x402000
//# @reaching section: .r address=0x401fe0
//# @reaching section: .data address=0x401fe8
//# @plain section: .r address=0x401ff8
//# @plain section: .data address=0x402000
//# @aligned segment: GNU_RELRO address=0x401000 memsz=0x1000
//# @reaching segment: GNU_RELRO address=0x401fe0 memsz=0x20
//# @plain segment: GNU_RELRO address=0x401ff8 memsz=8
//# peers: ld
.text
.quad 0
.section .data.rel.ro, "aw"
.quad 1
.data
.quad 2, 3, 4
.section .note.GNU-stack,"",@progbits
//# file: script.ld
SECTIONS {
  . = 0x400000;
  .text : { *(.text) }
  . = DATA_SEGMENT_ALIGN(0x1000, 0x1000);
  . = ALIGN(align);
  .r : { *(.data.rel.ro) }
  . = DATA_SEGMENT_RELRO_END(reach, .);
  .data : { *(.data) }
  . = DATA_SEGMENT_END(.);
}
