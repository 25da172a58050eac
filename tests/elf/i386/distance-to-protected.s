// Data with the distance to an object that cannot be copied: the library would go on using its own, or options
// forbid copies. The loader writes it, as it does in libraries.
//# file: lib.s
//# shared: lib.so lib.o
//# variant: fixed: -no-pie
//# variant: pie: -pie
//# variant: forbidden: -pie -Wl,-z,nocopyreloc
//# driver: gcc
//# link: main.o lib.so -nostdlib -Wl,-e,main
//# reloc: R_386_PC32 place=section(.data).address symbol=kept
//# no-reloc: R_386_COPY symbol=kept
//# run: exit=3
//# peers: ld lld
.data
.globl kept
.protected kept
.type kept, %object
kept: .long 3, 4
.size kept, 8
.section .note.GNU-stack,"",@progbits
//# file: main.s
.globl main
main:
  call 1f
1:
  pop %ecx
  add $_GLOBAL_OFFSET_TABLE_+(.-1b), %ecx
  lea distance@GOTOFF(%ecx), %ecx
  add (%ecx), %ecx
  mov (%ecx), %ebx
  mov $1, %eax
  int $0x80
.data
.p2align 2
distance: .long kept - .
.section .note.GNU-stack,"",@progbits
