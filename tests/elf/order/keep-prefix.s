// -z keep-text-section-prefix keeps hot, unlikely, startup, exit, unknown and split code in sections of
// their own; without it all is .text.
//# @keep machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# variant: keep: -z keep-text-section-prefix
//# variant: not: -z keep-text-section-prefix -z nokeep-text-section-prefix
//# link: -static
//# @keep section: .text.hot size=1
//# @keep section: .text.unlikely size=1
//# @keep section: .text.startup size=1
//# @keep section: .text.exit size=1
//# @keep section: .text.unknown size=1
//# @keep section: .text.split size=1
//# @not section: .text size>=8
//# @not no-section: .text.hot
//# section: .text type=PROGBITS
//# peers: lld
.globl _start
.text
_start: ret
.section .text.f,"ax"
ret
.section .text.hot.f,"ax"
ret
.section .text.unlikely.f,"ax"
ret
.section .text.startup.f,"ax"
ret
.section .text.exit.f,"ax"
ret
.section .text.unknown.f,"ax"
ret
.section .text.split.f,"ax"
ret
.section .note.GNU-stack,"",@progbits
