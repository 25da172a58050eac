// foo, foo@V1 and foo@@V1 at one place are one symbol of a program, defined for each reference; a
// library may be asked for one of the two versions only, and so may what is linked again.
//# variant: program: main.o call.o
//# variant: gc: main.o call.o --gc-sections
//# variant: library: -shared main.o --version-script=v.map
//# variant: part: -r main.o
//# driver: ld
//# @program,gc run: exit=7
//# @program,gc no-symbol: foo section=UND
//# @program,gc no-symbol: foo section=ABS
//# @program,gc symbol: foo@@V1 value=symbol(handler).value
//# @library,part expect-error: (duplicate symbol|multiple definition).*foo
//# peers: none
.section .text.foo,"ax",@progbits
nop
.globl foo
.type foo, @function
.symver foo, foo@V1
.symver foo, foo@@V1
handler:
foo: mov $7, %edi
  mov $60, %eax
  syscall
.section .note.GNU-stack,"",@progbits
//# file: call.s
.globl _start
_start: lea foo(%rip), %rax
  lea versioned(%rip), %rcx
  .symver versioned, foo@V1
  cmp %rax, %rcx
  jne 1f
  call foo
1: hlt
.section .note.GNU-stack,"",@progbits
//# file: v.map
V1 { global: foo; };
