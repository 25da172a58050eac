// What two types mean is chosen by options.
//# driver: ld
//# variant: address: --target1-abs --target2=abs
//# variant: distance: --target1-rel --target2=rel
//# variant: slot: --target2=got-rel
//# link: -e _start --section-start=.data=0x20000 --section-start=.got=0x30000
//# @address bytes: .data = 00 00 02 00 00 00 02 00
//# @distance bytes: .data = 00 00 00 00 fc ff ff ff
//# @slot bytes: .data = 00 00 02 00 fc ff 00 00
//# peers: ld
.globl _start
_start: bx lr
.data
data:
.word data(TARGET1)
.word data(TARGET2)
