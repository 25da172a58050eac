// A weak reference takes no member.
//# driver: gcc
//# archive: libx.a x.o
//# link: main.o libx.a
//# run: exit=0
//# no-symbol: x section=.text
__attribute__((weak)) int x(void);
int main(void) { return x ? 1 : 0; }
//# file: x.c
int x(void) { return 3; }
