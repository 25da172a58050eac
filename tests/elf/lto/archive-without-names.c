// An archive whose index names nothing, because the archiver does not know intermediate code: its
// members are looked at, as in one without index. GNU ld does not.
//# cc: clang-19
//# requires: clang-19
//# compile: -O2 -flto
//# variant: empty
//# variant: none
//# sh: clang-19 -O2 -flto -xc -c part.inc -o part.o && rm -f lib.a && ar rcD lib.a part.o 2>/dev/null
//# @none sh: rm -f lib.a && ar rcS lib.a part.o 2>/dev/null
//# link: main.o lib.a
//# run: exit=42
//# peers: lld
int part(void);
int main(void) { return part(); }
//# file: part.inc
int part(void) { return 42; }
