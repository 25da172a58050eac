// A search directory that starts with = is below the sysroot.
//# driver: ld
//# sh: mkdir -p root/lib && ar rcs root/lib/libx.a x.o
//# archive: unused.a x.o
//# variant: equals: -L=/lib
//# variant: dollar: -L$SYSROOT/lib
//# @dollar peers: ld
//# link: main.o -static --sysroot=root -lx
//# run: exit=3
.globl _start
_start:
  call x
  mov %eax, %edi
  mov $60, %eax
  syscall
//# file: x.s
.globl x
x: mov $3, %eax
  ret
