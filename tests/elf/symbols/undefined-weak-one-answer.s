// An undefined weak symbol is one thing in a program. Where code at a fixed address has it as an
// immediate, a distance or a word in read-only memory, it is zero in the GOT and for calls, too, and
// no import, as with GNU ld; a word in writable memory gets what the GOT has.
//# variant: immediate: immediate.o got.o call.o
//# variant: distance: distance.o got.o call.o
//# variant: base: base.o got.o call.o
//# variant: constant: constant.o got.o call.o
//# variant: wide: immediate.o got.o call.o word.o
//# variant: asked: immediate.o got.o call.o -z dynamic-undefined-weak
//# variant: word: word.o got.o
//# variant: word-call: word.o call.o
//# variant: alone: word.o
//# shared: libx.so x.o
//# link: main.o libx.so --dynamic-linker=/lib64/ld-linux-x86-64.so.2 -rpath .
//# @immediate,distance,base,constant,wide,asked no-reloc: symbol=f
//# @immediate,distance,base,constant,wide no-dynsym: f
//# @word,word-call reloc: R_X86_64_64 symbol=f count=1
//# @word reloc: R_X86_64_GLOB_DAT symbol=f count=1
//# @word-call reloc: R_X86_64_JUMP_SLOT symbol=f count=1
//# @alone no-reloc: symbol=f
//# shared: libf.so f.o
//# @immediate,distance,base,constant,wide,asked,alone run: env=LD_PRELOAD=./libf.so
//# @word,word-call run: exit=7 env=LD_PRELOAD=./libf.so
//# @alone peers: ld lld
//# @immediate,distance,base peers: ld
//# @constant,wide,asked,word,word-call peers:
.globl _start
.weak of_immediate, of_distance, of_base, of_constant, of_got, of_word, of_call
.hidden of_immediate, of_distance, of_base, of_constant, of_got, of_word, of_call
.macro ask function
  mov $\function, %eax
  test %rax, %rax
  jz 1f
  call *%rax
  or %rax, %rbx
1:
.endm
_start:
  xor %ebx, %ebx
  ask of_immediate
  ask of_distance
  ask of_base
  ask of_constant
  ask of_got
  ask of_word
  xor %edi, %edi
  test %rbx, %rbx
  jz 2f
  mov $of_word, %eax
  test %rax, %rax
  jz 2f
  call *%rax
  test %rax, %rax
  jz 2f
  call *%rax
  mov %eax, %edi
2:
  mov $60, %eax
  syscall
.section .note.GNU-stack,"",@progbits
//# file: immediate.s
.globl of_immediate
.weak f
of_immediate:
  mov $f, %eax
  ret
.section .note.GNU-stack,"",@progbits
//# file: distance.s
.globl of_distance
.weak f
of_distance:
  lea f(%rip), %rax
  ret
.section .note.GNU-stack,"",@progbits
//# file: base.s
.globl of_base
.weak f
of_base:
  lea _GLOBAL_OFFSET_TABLE_(%rip), %rcx
  movabs $f@GOTOFF, %rax
  add %rcx, %rax
  ret
.section .note.GNU-stack,"",@progbits
//# file: constant.s
.globl of_constant
.weak f
of_constant:
  mov constant, %rax
  ret
.section .rodata,"a",@progbits
constant: .quad f
.section .note.GNU-stack,"",@progbits
//# file: got.s
.globl of_got
.weak f
of_got:
  mov f@GOTPCREL(%rip), %rax
  mov f@GOTPCREL(%rip), %rax
  ret
.section .note.GNU-stack,"",@progbits
//# file: call.s
.globl of_call
.weak f
of_call:
  call f@PLT
  ret
.section .note.GNU-stack,"",@progbits
//# file: word.s
.globl of_word
.weak f
of_word:
  mov word, %rax
  ret
.data
word: .quad f
.section .note.GNU-stack,"",@progbits
//# file: f.s
.globl f
f:
  mov $7, %eax
  ret
.section .note.GNU-stack,"",@progbits
//# file: x.s
.data
.globl x
x: .quad 0
.section .note.GNU-stack,"",@progbits
