# Hexadecimal numbers may begin with `$`, whatever their first digit is; other names that do are symbols.
//# driver: ld
//# link: main.o -T script.ld
//# symbol: a value=0xa
//# symbol: b value=0xcc00000
//# symbol: c value=0x2800
//# symbol: d value=7
//# bytes: .text = c3 00 00 00 cc 00 00 00 cc 00 00 00
//# peers: ld
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
//# file: script.ld
$cg = 7;
SECTIONS { . = 0x10000; .text : { *(.text) FILL($cc) . = ALIGN(8); LONG($cc) } }
a = $a; b = $ccM; c = $aK; d = $cg;
