// An .eh_frame that cannot be read is reported, or at least does no harm.
//# link: -static --eh-frame-hdr
//# expect-error: eh_frame
//# peers: lld
.globl _start
_start: ret
.section .eh_frame,"a",@progbits
.long 0x1000
.long 0
