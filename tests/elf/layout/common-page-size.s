// -z common-page-size: RELRO ends at a multiple of this and not of the largest page.
//# variant: small: -z common-page-size=4096
//# variant: large: -z common-page-size=0x10000
//# variant: wrong: -z common-page-size=5000
//# link: -pie -z max-page-size=0x10000
//# @small segment: GNU_RELRO end%4096 memsz<=8192
//# @large segment: GNU_RELRO end%65536
//# @wrong expect-error: common-page-size: bad value '5000'
//# peers:
.globl _start
_start: ret
.section .data.rel.ro,"aw"
.dc.a _start
.data
.quad 1
