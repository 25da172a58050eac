// Two members may have the same name.
//# driver: gcc
//# sh: mkdir -p x y && cp a.o x/m.o && cp b.o y/m.o && ar qcs libx.a x/m.o y/m.o
//# archive: unused.a a.o b.o
//# link: main.o libx.a
//# run: exit=3
int a(void), b(void);
int main(void) { return a() + b(); }
//# file: a.c
int a(void) { return 1; }
//# file: b.c
int b(void) { return 2; }
