// What options let a program leave undefined is looked up by the loader where it is reached through
// GOT and PLT: a library that is there when the program runs may have it. If none has, it is zero,
// and the program starts, as with GNU ld, whose PLT entry or call goes nowhere.
//# variant: all: --unresolved-symbols=ignore-all
//# variant: all-pie: --unresolved-symbols=ignore-all -pie
//# variant: objects: --unresolved-symbols=ignore-in-object-files
//# variant: undefs: -z undefs -z now
//# variant: warned: --warn-unresolved-symbols
//# variant: warned-pie: --warn-unresolved-symbols -pie
//# variant: carried-on: --noinhibit-exec -z lazy
//# variant: constant: constant.o --unresolved-symbols=ignore-all
//# variant: distance: distance.o --unresolved-symbols=ignore-all -pie
//# variant: none: --unresolved-symbols=ignore-all -z nodynamic-undefined-weak
//# shared: libx.so x.o
//# shared: libf.so f.o
//# link: main.o libx.so --dynamic-linker=/lib64/ld-linux-x86-64.so.2 -rpath .
//# @all,all-pie,objects,undefs,warned,warned-pie,carried-on dynsym: f section=UND
//# @all,all-pie,objects,warned,warned-pie,carried-on reloc: R_X86_64_JUMP_SLOT symbol=f
//# @undefs reloc: symbol=f
//# @all,all-pie,objects,undefs,warned,warned-pie,carried-on reloc: R_X86_64_GLOB_DAT symbol=d count=1
//# @all,all-pie,objects,undefs,warned,warned-pie,carried-on reloc: R_X86_64_64 symbol=d count=1
//# @all,all-pie,objects,undefs,warned,warned-pie,carried-on run: exit=7 env=LD_PRELOAD=./libf.so
//# @constant,none run: env=LD_PRELOAD=./libf.so
//# @distance,constant,none no-reloc: symbol=d
//# run:
//# @all,all-pie,objects,undefs,constant,distance,none no-warning: undefined
//# @warned,warned-pie,carried-on warning: undefined.*f
//# peers:
.globl _start
_start:
  xor %edi, %edi
  mov d@GOTPCREL(%rip), %rax
  test %rax, %rax
  jz 1f
  cmp word(%rip), %rax
  jne 1f
  call f@PLT
  mov %eax, %edi
1:
  mov $60, %eax
  syscall
.data
word: .quad d
.section .note.GNU-stack,"",@progbits
//# file: constant.s
  mov $d, %eax
.section .note.GNU-stack,"",@progbits
//# file: distance.s
  lea d(%rip), %rax
.section .note.GNU-stack,"",@progbits
//# file: f.s
.globl f, d
f:
  mov d@GOTPCREL(%rip), %rax
  mov (%rax), %eax
  ret
.data
.type d, @object
d: .quad 7
.size d, 8
.section .note.GNU-stack,"",@progbits
//# file: x.s
.data
.globl x
x: .quad 0
.section .note.GNU-stack,"",@progbits
