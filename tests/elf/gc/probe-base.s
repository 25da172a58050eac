// Notes of probes hold the address of .stapsdt.base, which nothing that is loaded refers to.
//# machines: x86-64 aarch64 aarch64_be riscv64 words have eight bytes
//# link: -static --gc-sections
//# section: .stapsdt.base size=1
//# check: readelf -nW $OUT | grep -q 'Base: 0x0*[1-9a-f]'
//# peers: ld
.globl _start
.text
_start: nop
990: nop
.section .note.stapsdt,"",@note
.balign 4
.4byte 992f-991f, 994f-993f, 3
991: .asciz "stapsdt"
992: .balign 4
993: .8byte 990b, _.stapsdt.base, 0
.asciz "provider"
.asciz "name"
.asciz ""
994: .balign 4
.section .stapsdt.base,"aG",@progbits,.stapsdt.base,comdat
.weak _.stapsdt.base
.hidden _.stapsdt.base
_.stapsdt.base: .space 1
.size _.stapsdt.base, 1
.section .note.GNU-stack,"",@progbits
