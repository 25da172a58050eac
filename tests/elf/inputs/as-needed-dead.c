// A reference from a section that --gc-sections drops does not make a library needed.
//# driver: gcc
//# compile: -fPIC -ffunction-sections
//# shared: liba.so a.o
//# link: main.o -Wl,--as-needed,--gc-sections liba.so
//# run: exit=0
//# no-dynamic: NEEDED liba.so
//# no-dynsym: a
//# peers: lld
int a(void);
int dead(void) { return a(); }
int main(void) { return 0; }
//# file: a.c
int a(void) { return 1; }
