# A search passes over files for other machines, whichever way names the file: -l, -l:, a name in a
# script; and whatever the file is: an archive, a thin one, an object, a script that names another
# output format. lld passes over none of them.
//# file: narrow.asm
.globl value
value:
//# file: wide.asm
.globl value
value = 7
//# file: main.s
.globl _start
_start:
  mov $value, %edi
  mov $60, %eax
  syscall
.section .note.GNU-stack,"",@progbits
//# file: archive.ld
INPUT(libv.a)
//# file: thin.ld
GROUP(AS_NEEDED(libt.a))
//# file: object.ld
INPUT(v.o)
//# file: script.ld
INPUT(libs.so)
//# file: foreign.ld
OUTPUT_FORMAT(elf32-i386) GROUP(/nowhere/libv.so.6)
//# file: own.ld
OUTPUT_FORMAT(elf64-x86-64) INPUT(libv.a)
//# sh: mkdir first second
//# sh: as --32 -o first/v.o narrow.asm; as -o second/v.o wide.asm
//# sh: for d in first second; do (cd $d; ar rc libv.a v.o; ar rcT libt.a v.o); done
//# sh: cp foreign.ld first/libs.so; cp own.ld second/libs.so
//# variant: library: -lv
//# variant: library-thin: -lt
//# variant: library-script: -ls
//# variant: file: -l:libv.a
//# variant: file-script: -l:libs.so
//# variant: file-object: -l:v.o
//# variant: named: archive.ld
//# variant: named-thin: thin.ld
//# variant: named-object: object.ld
//# variant: named-script: script.ld
//# link: main.o -Lfirst -Lsecond
//# peers: ld
//# @library warning: skipping incompatible first/libv.a when searching for -lv
//# @library-thin warning: skipping incompatible first/libt.a when searching for -lt
//# @library-script warning: skipping incompatible first/libs.so when searching for -ls
//# @named warning: skipping incompatible first/libv.a when searching for libv.a
//# @named-object warning: skipping incompatible first/v.o when searching for v.o
//# run: exit=7
