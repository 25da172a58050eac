// A library that only another library uses is needed, too, if that one does not name it itself; a weak
// reference makes a library needed if -u wants the name.
//# driver: gcc
//# compile: -fPIC
//# variant: behind: ./liba.so ./libb.so | -DUSES_A
//# variant: chain: ./liba2.so ./libc2.so ./libb2.so | -DUSES_A
//# variant: named: ./named.so ./libb.so | -DUSES_A
//# variant: unused: ./libb.so
//# variant: wanted: -Wl,-u,g ./libg.so
//# archive: unused.a a.o b.o c2.o g.o
//# shared: libb.so b.o -Wl,-soname,libb.so
//# shared: liba.so a.o
//# shared: libc2.so c2.o
//# shared: libb2.so b.o
//# shared: liba2.so a2.o
//# shared: named.so a.o libb.so
//# shared: libg.so g.o
//# link: main.o -Wl,--as-needed -Wl,-rpath,.
//# run: exit=0 env=LD_LIBRARY_PATH=.
//# @behind dynamic: NEEDED libb.so
//# @chain dynamic: NEEDED ./libb2.so
//# @chain dynamic: NEEDED ./libc2.so
//# @named,unused no-dynamic: NEEDED libb.so
//# @wanted dynamic: NEEDED ./libg.so
//# @behind,chain,named,unused peers: ld
//# @wanted peers: lld
#ifdef USES_A
int a(void);
int main(void) { return a(); }
#else
__attribute__((weak)) int g(void);
int main(void) { return g ? g() : 0; }
#endif
//# file: a.c
int b(void);
int a(void) { return b(); }
//# file: a2.c
int c(void);
int a(void) { return c(); }
//# file: c2.c
int b(void);
int c(void) { return b(); }
//# file: b.c
int b(void) { return 0; }
//# file: g.c
int g(void) { return 0; }
