// Size and type of an imported symbol's copy are those of its definition.
//# driver: gcc
//# compile: -fno-pie
//# shared: liba.so a.o
//# link: -no-pie main.o liba.so
//# symbol: table type=OBJECT size=12
extern int table[];
int main(void) { return table[2] - 3; }
//# file: a.c -fPIC
int table[3] = {1, 2, 3};
