// Section groups stay groups.
//# driver: ld
//# link: -r
//# section: .group type=GROUP
//# section: .text.f flags=AXG
.section .text.f,"axG",@progbits,f,comdat
.weak f
f: ret
