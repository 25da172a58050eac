// In a position-independent program a word in read-only memory with an undefined weak symbol is zero
// where nothing else asks the loader for the symbol, as with GNU ld; else the loader fills it, too,
// and it does not have another answer than the GOT.
//# variant: alone: constant.o
//# variant: got: constant.o got.o
//# variant: call: constant.o call.o
//# variant: word: constant.o word.o
//# variant: text: constant.o got.o -z text
//# link: -pie main.o --dynamic-linker=/nothing
//# @alone no-reloc: symbol=f
//# @alone no-dynamic: TEXTREL
//# @got,call reloc: R_X86_64_64 symbol=f count=1
//# @word reloc: R_X86_64_64 symbol=f count=2
//# @got,call,word dynamic: TEXTREL
//# @got,call,word lint-except: relocated-code the words are in read-only memory
//# @text expect-error: R_X86_64_64|read-only
//# @alone,got,call peers: ld
//# @word peers:
//# @text peers: ld lld
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
//# file: constant.s
.weak f
.section .rodata,"a",@progbits
constant: .quad f
.section .note.GNU-stack,"",@progbits
//# file: got.s
.weak f
mov f@GOTPCREL(%rip), %rax
.section .note.GNU-stack,"",@progbits
//# file: call.s
.weak f
call f@PLT
.section .note.GNU-stack,"",@progbits
//# file: word.s
.weak f
.data
word: .quad f
.section .note.GNU-stack,"",@progbits
