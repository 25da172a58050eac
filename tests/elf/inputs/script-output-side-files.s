// The name that a script gives the output is the one that counts for what is beside it.
//# peers: none
//# sh: rm -f named* ; echo other > a.out
//# sh: ! $LD main.o name.txt -Map=named 2>messages && grep -q -e '-Map=named: this is the output' messages && ! test -e named
//# sh: $LD main.o name.txt --force-exe-suffix && cmp named named.exe && ! test -e a.out.exe
//# link: main.o
.globl _start
_start: ret
//# file: name.txt
OUTPUT(named)
