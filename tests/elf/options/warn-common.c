// --warn-common tells of common symbols that are joined or replaced, with both files: first the one
// that holds, which is the largest.
//# compile: -fcommon
//# variant: asked: -Wl,--warn-common
//# variant: not: -Wl,--warn-common,--no-warn-common
//# peers: none
//# @asked warning: common symbol is replaced by a definition: value\n>>> defined in b.o\n>>> defined in main.o
//# @asked warning: multiple common symbols: both\n>>> defined in b.o\n>>> defined in main.o
//# @asked no-warning: alone
//# @not no-warning: common
int value;
int both;
int alone;
int main(void) { return value + both; }
//# file: b.c
int value = 0;
int both[2];
