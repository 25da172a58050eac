// A weak definition in a library and an undefined weak reference to it meet.
//# driver: gcc
//# shared: libx.so b.o
//# link: main.o -Wl,--no-as-needed libx.so
//# run: exit=4
//# dynsym: f bind=WEAK section=UND
__attribute__((weak)) int f(void);
int main(void) { return f ? f() : 1; }
//# file: b.c -fPIC
__attribute__((weak)) int f(void) { return 4; }
