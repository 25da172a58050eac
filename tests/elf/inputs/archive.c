// Only the members that are needed are taken from an archive.
//# driver: gcc
//# archive: libx.a used.o unused.o
//# link: main.o libx.a
//# run: exit=3
//# symbol: used
//# no-symbol: unused
int used(void);
int main(void) { return used(); }
//# file: used.c
int used(void) { return 3; }
//# file: unused.c
int unused(void) { return 4; }
