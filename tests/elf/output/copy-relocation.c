// A program that is not position-independent copies the variable of a library.
//# driver: gcc
//# compile: -fno-pie -O1
//# shared: libfoo.so lib.o
//# link: -no-pie main.o libfoo.so
//# run: exit=5
//# reloc: R_X86_64_COPY symbol=value count=1
//# dynsym: value type=OBJECT size=4 section!=UND
extern int value;
int set(void);
int main(void) { set(); return value; }
//# file: lib.c -fPIC
int value = 3;
int set(void) { return value = 5; }
