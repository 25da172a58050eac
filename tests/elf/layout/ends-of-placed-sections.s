// The ends of data and of the program are those of their sections, also where an option places these
// below others: start code clears what lies between __bss_start and _end.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# link: -Ttext=0x9000 --build-id=sha1 -z noseparate-code
//# word: symbol(edges).value = symbol(data_end).value
//# word: symbol(edges).value+1word = symbol(zeros_end).value
//# word: symbol(edges).value+2words = symbol(text_end).value
.globl _start, edges, data_end, zeros_end, text_end
_start:
  nop
text_end:
.data
edges:
.dc.a _edata, _end, etext
data_end:
.bss
.balign 4
.space 64
zeros_end:
.section .note.GNU-stack,"",@progbits
