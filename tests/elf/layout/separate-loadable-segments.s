// -z separate-loadable-segments pads each segment to whole pages of the file.
//# link: -static -z separate-loadable-segments
//# no-segment: LOAD offset%0x1000 offset>0 filesz=0
//# segment: LOAD flags=RX offset%0x1000
//# peers: lld
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
