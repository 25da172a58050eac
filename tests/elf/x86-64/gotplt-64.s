// R_X86_64_GOTPLT64: as R_X86_64_GOT64, the offset of an entry with the function's address.
//# variant: static: -static
//# variant: pie: -static -pie --no-dynamic-linker
//# peers: ld
//# @static run: exit=7
.globl _start, f
_start:
  lea _GLOBAL_OFFSET_TABLE_(%rip), %rbx
  movabs $f@GOTPLT, %rax
  call *(%rbx,%rax)
  mov %eax, %edi
  mov $60, %eax
  syscall
f: mov $7, %eax
  ret
.section .note.GNU-stack,"",@progbits
