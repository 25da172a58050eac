// --trace names every file that is read.
//# driver: gcc
//# archive: libx.a x.o
//# link: main.o libx.a -Wl,--trace
//# stdout: main\.o
//# stdout: libx\.a
int x(void);
int main(void) { return x(); }
//# file: x.c
int x(void) { return 0; }
