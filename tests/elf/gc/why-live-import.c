// --why-live tells what keeps a symbol of a shared library, and of which library it is; not of one that
// only garbage refers to.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 start files refer to main from code
//# peers: none
//# compile: -ffunction-sections -fPIC
//# shared: libshape.so shape.o
//# link: main.o libshape.so -Wl,--gc-sections,--why-live=a*,-rpath=.
//# run
//# stdout: ^live symbol: libshape.so:\(area\)\n>>> referenced by: main.o:\(direct\)\n>>> referenced by: main.o:\(main\)\n>>> referenced by: .*:\(_start\) \(entry point\)$
//# no-stdout: about
//# file: main.c
int area(int), about(int);
int direct(void) { return area(0); }
int garbage(void) { return about(0); }
int main(void) { return direct(); }
//# file: shape.c
int area(int n) { return n; }
int about(int n) { return n; }
