// -C DIR: everything that is named is there, the output too. --chroot DIR: absolute names of inputs
// are below it.
//# variant: object: --chroot=sub /dir/x.o -static
//# variant: library: --chroot=sub -L/dir -lx -u _start -static
//# sh: mkdir -p sub/dir && cp x.o sub/x.o && cp x.o sub/dir/x.o && rm -f sub/dir/libx.a && ar rcs sub/dir/libx.a x.o
//# archive: unused.a x.o
//# run: exit=4
//# check: rm -f here && "$LD" -C sub x.o -o ../here -static && cmp here $OUT
//# check: rm -f sub/there && "$LD" --directory=sub -Ldir -lx -u _start -o there -static && test -x sub/there
//# peers: none
//# file: x.s
.include "machine.inc"
.globl _start
_start:
  exit 4
.section .note.GNU-stack,"",@progbits
