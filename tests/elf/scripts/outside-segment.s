# A section whose load address is not as far from that of its segment as its address is not where the
# segment puts it: it is told, as by GNU ld. Where the two go together, and in overlays, nothing is.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 no section of the linker's own follows those of a script
//# @overlay machines: x86-64 i386 x32 pages have 4 KiB
//# driver: ld
//# variant: order: main.o -T order.ld
//# variant: load: main.o -T load.ld -z noexecstack --no-warn-rwx-segments
//# variant: behind-zeros: main.o -T behind-zeros.ld
//# variant: together: main.o -T together.ld
//# variant: apart: main.o -T apart.ld
//# variant: overlay: main.o -T overlay.ld
//# variant: none: main.o -T none.ld
//# variant: two: main.o -T two.ld
//# variant: image: main.o -T load.ld --oformat binary
//# @order warning: section .second can't be allocated in segment 1
//# @order no-warning: section .(data|bss) can't
//# @load warning: section .second can't be allocated in segment 0: it is at 0x4000, and at load address 0x3000
//# @load warning: section .bss can't be allocated in segment 0
//# @behind-zeros warning: section .second can't be allocated in segment 1
//# @together,apart,overlay,image,two no-warning: can't be allocated
//# @none warning: allocated section `.second' not in segment
//# @none no-warning: section `.(text|data|bss)' not in segment
//# @none lint-except: section-outside-load that is what the warning is about
//# @two lint-except: writable-code the script puts data behind code
//# @two lint-except: section-offset two segments load one section
//# @two lint-except: load-order two segments load one section
//# @order,load,behind-zeros lint-except: section-outside-load that is what the warning is about
//# @order,load,behind-zeros lint-except: section-offset that is what the warning is about
//# @order,load,behind-zeros lint-except: nobits-in-file its bytes in the file are those of another
//# @together lint-except: nobits-in-file the segment is by load addresses, and others follow
//# @load lint-except: writable-code all is in one segment
//# @overlay lint-except: section-address-overlap an overlay in one segment
//# @overlay lint-except: section-offset an overlay in one segment
//# peers: none
.globl _start
_start: ret
.data
.quad 1
.section .second,"aw"
.quad 2
.bss
.zero 8
.section .note.GNU-stack,""
//# file: order.ld
MEMORY { R : ORIGIN = 0x20000000, LENGTH = 64K F : ORIGIN = 0x8000000, LENGTH = 256K }
PHDRS { text PT_LOAD; data PT_LOAD; }
SECTIONS { .text : { *(.text) } >F :text .second : { *(.second) } >R :data .data : { *(.data) } >R AT>F :data
  .bss : { *(.bss) } >R :data }
//# file: load.ld
PHDRS { all PT_LOAD; }
SECTIONS { .text 0x1000 : { *(.text) } :all .data 0x3000 : AT(0x2000) { *(.data) } :all .second 0x4000 : { *(.second) } }
//# file: behind-zeros.ld
MEMORY { R : ORIGIN = 0x20000000, LENGTH = 64K F : ORIGIN = 0x8000000, LENGTH = 256K }
PHDRS { text PT_LOAD; data PT_LOAD; }
SECTIONS { .text : { *(.text) } >F :text .data : { *(.data) . = ALIGN(64); } >R AT>F :data .bss : { *(.bss) } >R :data
  .second : { *(.second) } >R AT>F :data }
//# file: together.ld
MEMORY { R : ORIGIN = 0x20000000, LENGTH = 64K F : ORIGIN = 0x8000000, LENGTH = 256K }
PHDRS { text PT_LOAD; data PT_LOAD; }
SECTIONS { .text : { *(.text) } >F :text .data : { *(.data) } >R AT>F :data .second : { *(.second) } >R :data
  .bss : { *(.bss) } >R :data }
//# file: apart.ld
MEMORY { R : ORIGIN = 0x20000000, LENGTH = 64K F : ORIGIN = 0x8000000, LENGTH = 256K }
PHDRS { text PT_LOAD; more PT_LOAD; data PT_LOAD; }
SECTIONS { .text : { *(.text) } >F :text .second : { *(.second) } >R :more .data : { *(.data) } >R AT>F :data
  .bss : { *(.bss) } >R :data }
//# file: overlay.ld
PHDRS { text PT_LOAD; turns PT_LOAD; data PT_LOAD; }
SECTIONS { .text 0x1000 : { *(.text) } :text
  OVERLAY 0x3000 : AT(0x8000) { .data { *(.data) } .second { *(.second) } } :turns
  .bss 0x5000 : { *(.bss) } :data }
//# file: none.ld
PHDRS { t PT_LOAD; d PT_LOAD; }
SECTIONS { . = 0x10000; .text : { *(.text) } :t .second : { *(.second) } :NONE .data : { *(.data) } :d .bss : { *(.bss) } }
//# file: two.ld
PHDRS { t PT_LOAD; d PT_LOAD; }
SECTIONS { . = 0x10000; .text : { *(.text) } :t .second : { *(.second) } :t :d .data : { *(.data) } :d .bss : { *(.bss) } }
