// Zeros of thread-local storage in two output sections have addresses of their own, and take no memory in
// the image. GNU ld gives both one address.
//# variant: plain: -T plain.ld
//# variant: headers: -T headers.ld
//# variant: region: -T region.ld
//# link: main.o -e 0
//# section: .tbss address=0x10010
//# section: .tbss2 address=0x10020 size=16
//# section: .data address=0x10010
//# section: .bss address=0x10030
//# segment: TLS address=0x10000 filesz=16 memsz=48
//# @plain,region segment: LOAD count=1
//# word: 0x10010 = 0xffffffffffffffd0
//# word: 0x10018 = 0xffffffffffffffe0
//# word: 0x10020 = 0xfffffffffffffff0
//# peers: none
.data
.dc.a a@tpoff, b@tpoff, c@tpoff, 0
.section .tdata,"awT",@progbits
a: .quad 1, 2
.section .tbss,"awT",@nobits
b: .zero 8
.section .tbss2,"awT",@nobits
.balign 16
c: .zero 16
.bss
.zero 8
.section .note.GNU-stack,"",@progbits
//# file: plain.ld
SECTIONS {
  . = 0x10000;
  .tdata : { *(.tdata) }
  .tbss : { *(.tbss) }
  .tbss2 : { *(.tbss2) }
  .data : { *(.data) }
  .bss : { *(.bss) }
}
//# file: headers.ld
PHDRS { data PT_LOAD; local PT_TLS; }
SECTIONS {
  . = 0x10000;
  .tdata : { *(.tdata) } :data :local
  .tbss : { *(.tbss) } :data :local
  .tbss2 : { *(.tbss2) } :data :local
  .data : { *(.data) } :data
  .bss : { *(.bss) } :data
}
//# file: region.ld
MEMORY { ram : ORIGIN = 0x10000, LENGTH = 0x38 }
SECTIONS {
  .tdata : { *(.tdata) } >ram
  .tbss : { *(.tbss) } >ram
  .tbss2 : { *(.tbss2) } >ram
  .data : { *(.data) } >ram
  .bss : { *(.bss) } >ram
}
