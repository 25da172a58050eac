// Without a group, an archive before its user gives nothing to GNU ld alone; the others go back.
//# driver: gcc
//# archive: libx.a x.o
//# link: libx.a main.o
//# run: exit=3
//# peers: lld
int f(void);
int main(void) { return f(); }
//# file: x.c
int f(void) { return 3; }
