// A definition in an archive replaces a common symbol, unless --no-fortran-common says otherwise.
//# compile: -fcommon
//# archive: liba.a a.o
//# variant: default: -Wl,--no-fortran-common,--fortran-common
//# variant: off: -Wl,--no-fortran-common
//# link: main.o liba.a
//# @default run: exit=3
//# @off run: exit=0
//# peers:
int value;
int main(void) { return value; }
//# file: a.c
int value = 3;
