// --defsym of a library's symbol behind that library comes behind all scripts: what a script provides holds in its
// expressions, DEFINED holds, and in the end the symbol has the option's value. Without the library, or before it, the
// option's value is the only one.
//# variant: library: -T script.ld main.o libkey.so --defsym=key=0x20000
//# variant: behind: -T script.ld main.o --defsym=key=0x20000 libkey.so
//# variant: alone: -T script.ld main.o --defsym=key=0x20000
//# shared: libkey.so key.o
//# symbol: key value=0x20000 section=ABS
//# @library symbol: early value=0x21000
//# @library symbol: late value=0x21000
//# @library symbol: asked value=3
//# @alone,behind symbol: early value=0x20000
//# @alone,behind symbol: late value=0x20000
//# @alone symbol: asked value=5
//# peers: ld
.globl _start
_start:
  ret
.section .note.GNU-stack,"",@progbits
//# file: key.s
.data
.globl key
.type key, @object
.size key, 8
key: .quad 6
.section .note.GNU-stack,"",@progbits
//# file: script.ld
PROVIDE(key = 0x21000);
early = key;
SECTIONS { . = SIZEOF_HEADERS; .text : { *(.text) } . = ALIGN(0x1000); .data : { *(.data) } }
late = key;
asked = DEFINED(key) ? 3 : 5;
