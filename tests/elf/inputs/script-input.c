// A text file with INPUT names more inputs, relative to itself or to -L.
//# driver: gcc
//# archive: libx.a used.o
//# link: main.o libs.txt -L.
//# run: exit=3
int used(void);
int main(void) { return used(); }
//# file: used.c
int used(void) { return 3; }
//# file: libs.txt
/* GNU ld script */
INPUT(-lx)
