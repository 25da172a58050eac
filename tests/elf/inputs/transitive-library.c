// A library that another one needs is found by -rpath-link when undefined symbols are checked.
//# machines: x86-64 i386 x32 the emulator does not take relative directories of libraries
//# driver: gcc
//# compile: -fPIC
//# sh: mkdir sub
//# shared: sub/libb.so b.o -Wl,-soname,libb.so
//# shared: liba.so a.o sub/libb.so
//# link: main.o liba.so -Wl,-rpath-link,sub
//# run: exit=3 env=LD_LIBRARY_PATH=sub:.
//# no-dynamic: NEEDED libb.so
int a(void);
int main(void) { return a(); }
//# file: a.c
int b(void);
int a(void) { return b(); }
//# file: b.c
int b(void) { return 3; }
