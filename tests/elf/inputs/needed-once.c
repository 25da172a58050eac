// A library given twice, and once more under another path, is needed once.
//# driver: gcc
//# compile: -fPIC
//# shared: liba.so a.o -Wl,-soname,liba.so
//# sh: cp liba.so libcopy.so
//# link: main.o liba.so liba.so libcopy.so
//# run: exit=1
//# dynamic: NEEDED liba.so count=1
int a(void);
int main(void) { return a(); }
//# file: a.c
int a(void) { return 1; }
