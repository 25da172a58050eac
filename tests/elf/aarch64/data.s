// Data: R_AARCH64_ABS64, ABS32, ABS16, PREL64, PREL32 and PREL16, at both ends of ranges.
//# peers: lld
//# link: -static -Ttext=0x210000 -Tdata=0x220000 --defsym=big=0xffffffff --defsym=low=0xffffffff80000000 --defsym=short=0xffff --defsym=low16=0xffffffffffff8000
//# word64: 0x220000 = 0x210004
//# word32: 0x220008 = 0xffffffff
//# word32: 0x22000c = 0x80000000
//# word16: 0x220010 = 0xffff
//# word16: 0x220012 = 0x8000
//# word32: 0x220014 = 0xfffefff0
//# word64: 0x220018 = 0xfffffffffffefff0
//# word16: 0x220020 = 0x2e
.globl _start, function
_start: ret
function: ret
.data
  .xword function
  .word big
  .word low
  .hword short
  .hword low16
  .word function - .
  .xword function + 4 - .
  .hword end - . + 0xc
  .hword 0
.skip 0x1e
end:
.section .note.GNU-stack,"",@progbits
