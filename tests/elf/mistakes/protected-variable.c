// A program that is not compiled as PIC refers to a protected variable of a library.
//# peers: none
//# compile: -g
//# shared: libshape.so shape.o
//# link: -no-pie main.o libshape.so
//# error-text: ld: error: main.o:(function main: .text+0x6): cannot create a copy relocation for protected symbol 'sides', which relocation R_X86_64_PC32 needs; recompile with -fPIC
//# error-text: >>> referenced by main.c:2 ($WORK/main.c:2)
//# error-text: >>> defined in libshape.so
//# file: main.c -fno-pie
extern int sides;
int main(void) { return sides; }
//# file: shape.c -fPIC
__attribute__((visibility("protected"))) int sides = 4;
