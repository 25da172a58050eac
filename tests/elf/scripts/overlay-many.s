# An OVERLAY may have thousands of sections.
//# sh: { printf 'SECTIONS { .text 0x1000 : { *(.text) } OVERLAY 0x4000 : {'; for i in $(seq 3000); do printf ' .o%d { *(.s%d) }' $i $i; done; printf ' } end = .; }'; } >many.ld
//# link: -T many.ld
//# section: .o7 address=0x4000 size=4
//# section: .o3000 address=0x4000 size=24
//# symbol: end value=0x4018
//# lint-except: section-address-overlap sections of an overlay take turns at one address
//# lint-except: load-order the segments of an overlay have one address
//# lint-except: section-offset a section of an overlay is looked for in the segment of another one
//# peers: ld
.globl _start
_start: ret
.section .s7, "a"
.long 7
.section .s3000, "a"
.fill 24
