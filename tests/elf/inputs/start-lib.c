// Objects between --start-lib and --end-lib are taken like members.
//# driver: gcc
//# link: main.o -Wl,--start-lib used.o unused.o -Wl,--end-lib
//# run: exit=3
//# no-symbol: unused
//# peers: lld
int used(void);
int main(void) { return used(); }
//# file: used.c
int used(void) { return 3; }
//# file: unused.c
int unused(void) { return 4; }
