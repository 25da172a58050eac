// GROUP searches its archives again, and AS_NEEDED drops what is not used.
//# driver: gcc
//# compile: -fPIC
//# archive: liba.a a.o
//# archive: libb.a b.o
//# shared: libused.so used.o
//# shared: libunused.so unused.o
//# link: main.o libs.so
//# run: exit=8
//# dynamic: NEEDED value~libused.so
//# no-dynamic: NEEDED value~libunused.so
int a(void);
int main(void) { return a(); }
//# file: a.c
int b(void);
int base(void) { return 3; }
int a(void) { return b(); }
//# file: b.c
int base(void), used(void);
int b(void) { return base() + used(); }
//# file: used.c
int used(void) { return 5; }
//# file: unused.c
int unused(void) { return 5; }
//# file: libs.so
OUTPUT_FORMAT(elf64-x86-64)
GROUP ( libb.a liba.a AS_NEEDED ( libused.so libunused.so ) )
