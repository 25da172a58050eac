// Files that a linker script of the sysroot names: absolute ones, and those with = or $SYSROOT, are
// below the sysroot.
//# driver: ld
//# variant: absolute:
//# variant: equals:
//# variant: dollar:
//# sh: mkdir -p root/lib && cp x.o root/lib/x.o && echo 'INPUT(/lib/x.o)' >root/lib/libscript-a.so && echo 'INPUT(=/lib/x.o)' >root/lib/libscript-e.so && echo 'INPUT($SYSROOT/lib/x.o)' >root/lib/libscript-d.so
//# archive: unused.a x.o
//# @absolute link: main.o --sysroot=root -L=/lib -lscript-a
//# @equals link: main.o --sysroot=root -L=/lib -lscript-e
//# @dollar link: main.o --sysroot=root -L=/lib -lscript-d
//# run: exit=3
//# peers: ld
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
