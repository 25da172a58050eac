// A name that two nodes list belongs to both if its versions stand in the symbols: no warning. A plain
// symbol gets the first, and that is worth one.
//# driver: gcc
//# compile: -fPIC
//# variant: versioned:
//# variant: plain: | -DPLAIN
//# link: -shared main.o -Wl,--version-script=v.map
//# @versioned no-warning: reassign|not defined
//# @versioned dynsym: foo@V1
//# @versioned dynsym: foo@@V2
//# @plain warning: attempt to reassign symbol 'foo' of version 'V1' to .*'V2'
//# @plain no-warning: not defined
//# @plain dynsym: foo@@V1
//# peers: lld
#ifdef PLAIN
void foo(void) {}
#else
__asm__(".symver old, foo@V1");
__asm__(".symver new, foo@@V2");
void old(void) {}
void new(void) {}
#endif
//# file: v.map
V1 { global: foo; };
V2 { global: foo; } V1;
