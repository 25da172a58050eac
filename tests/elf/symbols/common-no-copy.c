// A library that uses its own variable, whatever a program has, is not helped by a copy: what the common
// symbol asks for more is told, as by GNU ld, and the program uses the library's.
//# variant: protected: ./libprotected.so
//# variant: symbolic: ./libsymbolic.so
//# compile: -fPIC -fcommon
//# shared: libprotected.so protected.o
//# shared: libsymbolic.so lib.o -Wl,-Bsymbolic
//# archive: unused.a protected.o lib.o
//# link: main.o -pie -Wl,-rpath,.
//# warning: size of symbol `x' changed from 8 in main.o to 4 in ./lib(protected|symbolic).so
//# run: exit=42
//# no-reloc: R_X86_64_COPY
//# peers: ld
long x;
int getx(void);
int main(void) {
  x = 42;
  return getx();
}
//# file: protected.c -fPIC
__attribute__((visibility("protected"))) int x = 7;
__attribute__((visibility("protected"))) int room = 1;
int getx(void) { return x; }
//# file: lib.c -fPIC
int x = 7, room = 1;
int getx(void) { return x; }
