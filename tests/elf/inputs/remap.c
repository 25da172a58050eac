// --remap-inputs opens other files in the place of those that match; /dev/null leaves them out.
//# variant: exact: -Wl,--remap-inputs=first.o=second.o
//# variant: glob: -Wl,--remap-inputs=f*t.o=second.o
//# variant: list: -Wl,--remap-inputs-file=list
//# variant: out: -Wl,--remap-inputs=first.o=/dev/null second.o
//# variant: library: -Wl,--remap-inputs=./libfirst.a=second.o -L. -lfirst
//# archive: libfirst.a first.o
//# @exact,glob,list,out link: main.o first.o
//# @library link: main.o
//# peers: lld
//# run: exit=2
//# file: list
# comment

f*.o=second.o
//# file: main.c
int number(void);
int main(void) { return number(); }
//# file: first.c
int number(void) { return 1; }
//# file: second.c
int number(void) { return 2; }
