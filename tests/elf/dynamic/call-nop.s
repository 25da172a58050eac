// -z call-nop chooses the byte that fills a call made shorter, and its side.
//# variant: default: -q
//# variant: prefix: -z call-nop=prefix-addr -q
//# variant: byte: -z call-nop=prefix-0x2e
//# variant: suffix: -z call-nop=suffix-nop -q
//# variant: wrong: -z call-nop=infix-nop
//# @default,prefix bytes: symbol(_start).value = 67 e8 06 00 00 00 e9
//# @default,prefix reloc: R_X86_64_PC32 place=symbol(_start).value+2 addend=-4
//# @byte bytes: symbol(_start).value = 2e e8 06 00 00 00 e9
//# @suffix bytes: symbol(_start).value = e8 07 00 00 00 90 e9
//# @suffix reloc: R_X86_64_PC32 place=symbol(_start).value+1 addend=-4
//# @wrong expect-error: call-nop: bad value 'infix-nop'
//# peers: ld
.globl _start, f
_start:
call *f@GOTPCREL(%rip)
jmp *f@GOTPCREL(%rip)
f: ret
