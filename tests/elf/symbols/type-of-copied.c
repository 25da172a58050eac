// Size and type of an imported symbol's copy are those of its definition.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 code takes addresses of imports from no table, so that variables are copied
//# driver: gcc
//# compile: -fno-pie
//# shared: liba.so a.o
//# link: -no-pie main.o liba.so
//# symbol: table type=OBJECT size=12
extern int table[];
int main(void) { return table[2] - 3; }
//# file: a.c -fPIC
int table[3] = {1, 2, 3};
