// Symbols at FDEs go where these go, with dead ones between them.
//# link: -static --gc-sections --eh-frame-hdr
//# run: exit=42
//# peers: lld
//# symbol: second section=.eh_frame
//# symbol: fourth section=.eh_frame
.macro frame name, function, padding=0
.globl \name
\name: .long 1f - 0f
0: .long 0b - cie
.long \function - .
.long 1
.byte 0
.fill 3 + \padding, 1, 0
1:
.endm
.globl _start
_start:
  mov second(%rip), %edi
  add fourth(%rip), %edi
  sub $2, %edi
  mov $60, %eax
  syscall
.section .text.dead,"ax",@progbits
dead: ret
.section .text.live,"ax",@progbits
live: ret
.text
  lea live(%rip), %rax
.section .eh_frame,"a",@progbits
cie: .long 16
.long 0
.byte 1
.asciz "zR"
.uleb128 1
.sleb128 -8
.byte 16
.uleb128 1
.byte 0x1b
.byte 0, 0, 0
frame first, dead, 16
frame second, _start, 4
frame third, dead
frame fourth, live, 8
.section .note.GNU-stack,"",@progbits
