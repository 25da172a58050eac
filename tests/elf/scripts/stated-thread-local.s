// Data and gaps of a script that have a name of thread-local storage stand anywhere, before the
// template too, which inputs alone make. GNU ld says SHF_TLS in their headers, and PT_TLS is the same.
//# link: main.o -static -T script.ld
//# peers: none
//# section: .tdata.x type=PROGBITS
//# lint-except: nobits-in-file GNU ld has gaps before bytes in the file too
//# section: .tdata.x flags=WAT
//# no-section: .tdata.gap flags~T
//# no-section: .tbss.gap flags~T
//# segment: TLS address=section(.tdata).address memsz=12 filesz=4
//# word32: symbol(offset).value = 0xfffffff4
.globl _start
_start:
  ret
.data
.globl offset
offset: .long own@tpoff
.section .rodata
.long 4
.section .tdata,"awT"
own: .long 1
.section .tbss,"awT",@nobits
.long 0, 0
.section .note.GNU-stack,"",@progbits
//# file: script.ld
SECTIONS {
  . = 0x10000 + SIZEOF_HEADERS;
  .text : { *(.text) }
  . = ALIGN(0x1000);
  .tdata.x : { LONG(5) }
  .tdata.gap : { . += 4; }
  .tbss.gap : { . += 8; }
  .rodata : { *(.rodata) }
  . = ALIGN(0x1000);
  .tdata : { *(.tdata) }
  .tbss : { *(.tbss) }
  .data : { *(.data) }
}
