// The linker does not define a symbol that marks what the output does not have: a library may define it,
// another module may, a weak reference is null, and a strong one in a program is an error.
//# variant: library: main.o -pie libd.so -dynamic-linker /lib64/ld-linux-x86-64.so.2
//# variant: weak: weak.o
//# variant: weak-pie: -pie --no-dynamic-linker weak.o
//# variant: shared: main.o -shared
//# variant: strong: main.o
//# variant: strong-hdr: main.o --eh-frame-hdr
//# variant: dynamic: dynamic.o
//# variant: irelative: irelative.o -pie
//# variant: irelative-static: irelative.o
//# archive: unused.a main.o weak.o dynamic.o irelative.o d.o
//# shared: libd.so d.o
//# @library run: exit=42 env=LD_LIBRARY_PATH=.
//# @weak,weak-pie run: exit=7
//# @shared reloc: R_X86_64_64 symbol=__GNU_EH_FRAME_HDR
//# @strong,strong-hdr expect-error: undefined symbol: __GNU_EH_FRAME_HDR
//# @dynamic expect-error: undefined symbol: _DYNAMIC
//# @irelative expect-error: undefined symbol: __rela_iplt_start
//# @irelative-static symbol: __rela_iplt_start
//# peers: lld
.globl _start
_start:
  mov v(%rip), %rax
  mov (%rax), %edi
  mov $60, %eax
  syscall
.data
v: .quad __GNU_EH_FRAME_HDR
.section .note.GNU-stack,"",@progbits
//# file: d.s
.data
.globl __GNU_EH_FRAME_HDR
.type __GNU_EH_FRAME_HDR, @object
.size __GNU_EH_FRAME_HDR, 4
__GNU_EH_FRAME_HDR: .long 42
.section .note.GNU-stack,"",@progbits
//# file: weak.s
.weak __GNU_EH_FRAME_HDR
.globl _start
_start:
  mov $7, %edi
  cmpq $0, v(%rip)
  je 1f
  mov $1, %edi
1: mov $60, %eax
  syscall
.data
v: .quad __GNU_EH_FRAME_HDR
.section .note.GNU-stack,"",@progbits
//# file: dynamic.s
.globl _start
_start: ret
.data
.quad _DYNAMIC
.section .note.GNU-stack,"",@progbits
//# file: irelative.s
.globl _start
_start: ret
.data
.quad __rela_iplt_start
.section .note.GNU-stack,"",@progbits
