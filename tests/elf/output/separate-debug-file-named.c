// A debug file without a name is called after the output, whoever names that: a text script, or one
// in the language of MRI. -o is stronger than both.
//# driver: ld
//# compile: -g -ffreestanding
//# sh: rm -f named* other* a.out*
//# sh: $LD main.o name.txt --separate-debug-file; test -e named; mv named.dbg one.dbg; ! test -e a.out.dbg
//# sh: $LD main.o -c name.mri --separate-debug-file; test -e named; cmp named.dbg one.dbg; ! test -e a.out.dbg
//# sh: $LD main.o name.txt -o other --separate-debug-file; test -e other.dbg
//# sh: ! $LD main.o -c srec.mri --separate-debug-file 2>messages; grep -q 'srec.mri:1: .*--separate-debug-file' messages
//# link: main.o
//# peers: none
void _start(void) {}
//# file: name.txt
OUTPUT(named)
//# file: name.mri
NAME named
//# file: srec.mri
FORMAT S
