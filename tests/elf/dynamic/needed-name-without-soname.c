// The DT_NEEDED name of a library that --copy-dt-needed-entries finds is its DT_SONAME, and without one
// what the library says that needs it; not the file that was found.
//# compile: -fPIC
//# driver: gcc
//# peers: ld
//# sh: mkdir -p sub named
//# shared: sub/libinner.so inner.o
//# shared: named/libinner.so inner.o -Wl,-soname=other.so
//# shared: libouter.so outer.o -Lsub -linner
//# variant: relative: -Wl,-rpath-link=sub
//# variant: path: -Wl,-rpath=sub
//# variant: named: -Wl,-rpath-link=named
//# link: main.o -Wl,--no-as-needed,--copy-dt-needed-entries libouter.so
//# dynamic: NEEDED value=libouter.so
//# @relative,path dynamic: NEEDED value=libinner.so
//# @named dynamic: NEEDED value=other.so
int inner(void);
int outer(void);
int main(void) { return inner() + outer(); }
//# file: inner.c
int inner(void) { return 0; }
//# file: outer.c
int inner(void);
int outer(void) { return inner(); }
