// Calls through words of the PLT that the compiler writes out are direct calls within a program.
//# variant: pie: -pie
//# variant: kept: -pie -Wl,--no-relax
//# variant: static: -static
//# variant: fixed: -no-pie
//# compile: -O1 -fPIC -fno-plt -mlongcall
//# @pie,kept,fixed shared: libother.so other.o
//# @pie,kept,fixed link: main.o more.o -L. -lother -Wl,-rpath,$ORIGIN
//# @static link: main.o more.o other.o
//# run: stdout="3 5 9\n"
//# @pie disasm: local bl .*<here>
//# @pie no-disasm: local bctrl
//# @kept disasm: local bctrl
//# @pie,kept disasm: far bctrl
//# peers: ld
#include <stdio.h>
int here(int);
int elsewhere(int);
extern __thread int variable;
int local(int x) { return here(x) + 1; }
int far(int x) { return elsewhere(x) + 1; }
int main(void) { printf("%d %d %d\n", local(1), far(2), variable); }
//# file: more.c
int here(int x) { return x + 1; }
//# file: other.c
__thread int variable = 9;
int elsewhere(int x) { return x + 2; }
