// --filter, --auxiliary, --audit and --depaudit are entries for the loader; those of a library that
// is needed become the program's.
//# driver: gcc
//# compile: -fPIC
//# shared: liba.so a.o -Wl,--audit,libaudit1.so,-P,dep.so
//# variant: library: -shared a.o -Wl,-f,libx.so,--auxiliary=liby.so,-F,libz.so,--audit=l1.so:l2.so,--depaudit,l3.so
//# variant: program: main.o liba.so -Wl,--no-as-needed
//# variant: misplaced: main.o liba.so -Wl,--filter=libx.so
//# @library dynamic: AUXILIARY libx.so
//# @library dynamic: AUXILIARY liby.so
//# @library dynamic: FILTER libz.so
//# @library dynamic: AUDIT l1.so:l2.so
//# @library dynamic: DEPAUDIT l3.so
//# @program dynamic: DEPAUDIT libaudit1.so
//# @misplaced expect-error: filter.*may not be used without -shared
//# peers: ld
int a(void);
int main(void) { return a(); }
//# file: a.c
int a(void) { return 0; }
