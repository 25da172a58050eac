// --force-exe-suffix: a copy of the output has the suffix .exe, if the output itself has none.
//# link: main.o --force-exe-suffix
//# variant: program:
//# variant: library: -shared
//# variant: relocatable: -r
//# sh: rm -f out.exe named.EXE.exe
//# sh: $LD main.o --force-exe-suffix -o named.EXE
//# check: test -e named.EXE
//# check: ! test -e named.EXE.exe
//# @program,library check: cmp out out.exe
//# @relocatable check: ! test -e out.exe
//# peers: ld
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
