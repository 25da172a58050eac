// A call from far away to a function of a library leads through a thunk to its PLT entry.
//# driver: ld
//# lint-except: writable-code a section of its input is
//# variant: fixed: -dynamic-linker /lib64/ld-linux-x86-64.so.2 -rpath .
//# variant: pie: -pie -dynamic-linker /lib64/ld-linux-x86-64.so.2 -rpath .
//# variant: now: -pie -dynamic-linker /lib64/ld-linux-x86-64.so.2 -rpath . -z now
//# shared: libcount.so count.o
//# link: main.o libcount.so --section-start=.far=0x2000000000
//# run: exit=42
//# disasm: far call
//# disasm: * jmp \*%r11
//# reloc: R_X86_64_JUMP_SLOT symbol=count
//# peers:
.globl _start
_start:
  call far
  call count
  mov %eax, %edi
  mov $60, %eax
  syscall
.section .far,"awx",@progbits
far:
  mov $40, %edi
  sub $8, %rsp
  call count@PLT
  add $8, %rsp
  mov %eax, %edi
  ret
.section .note.GNU-stack,"",@progbits
//# file: count.s
.globl count
.type count,@function
count:
  lea 1(%rdi), %eax
  ret
.section .note.GNU-stack,"",@progbits
