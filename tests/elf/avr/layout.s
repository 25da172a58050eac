; Programs begin at 0 with the vectors. Variables have an address space of their own, and are loaded
; behind code. Symbols say where the start code copies and clears.
//# driver: ld
//# variant: direct: -mavr5
//# variant: bounds: -mavr5 --defsym=__DATA_REGION_ORIGIN__=0x800100
//# variant: option: -mavr5 -Tdata=0x800100
//# variant: gc: -mavr5 --gc-sections
//# compile: -mmcu=avr5
//# link: main.o
//# section: .text address=0
//# symbol: vectors value=0
//# symbol: reset value=6
//# symbol: __ctors_start value=4
//# symbol: __ctors_end value=6
//# @direct,gc section: .data address=0x800060
//# @bounds,option section: .data address=0x800100
//# symbol: variable value=section(.data).address
//# symbol: __data_load_start value=section(.text).end
//# @direct,bounds,option symbol: __data_load_end value=section(.text).end+4
//# symbol: __bss_start value=section(.data).end
//# symbol: __bss_end value=section(.data).end+6
//# symbol: __heap_start value=section(.data).end+8
//# section: .eeprom address=0x810000
//# section: .fuse address=0x820000 size=3
//# bytes: .fuse = 01 02 03
//# segment: LOAD address=section(.data).address physical=section(.text).end
//# no-segment: GNU_STACK
//# no-segment: PHDR
//# @gc no-symbol: unused
//# @direct,bounds,option symbol: unused
//# header: flags=0x5 entry=0
//# peers: ld
.section .vectors, "ax", @progbits
vectors: jmp reset
.section .init0, "ax", @progbits
reset: nop
.section .ctors, "aw", @progbits
  .word gs(vectors)
.section .init9, "ax", @progbits
  lds r24, variable
  ldi r24, lo8(__bss_start)
  ldi r24, lo8(__bss_end)
  ldi r24, lo8(__heap_start)
  lds r24, zeros
  lds r24, left
.section .text.unused, "ax", @progbits
unused: nop
.section .data.variable, "aw", @progbits
variable: .word 1
.section .rodata.str1.1, "aMS", @progbits, 1
  .asciz "x"
.comm zeros, 6, 1
.section .noinit, "aw", @nobits
left: .skip 2
.section .eeprom, "aw", @progbits
  .byte 9
.section .hfuse, "aw", @progbits
  .byte 2
.section .efuse, "aw", @progbits
  .byte 3
.section .lfuse, "aw", @progbits
  .byte 1
