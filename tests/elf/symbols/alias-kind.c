// An alias of a function is a function: a program can take its address or call it from a library.
//# shared: libx.so x.o -Wl,--defsym=alias=real
//# link: -no-pie main.o libx.so -Wl,-rpath,.
//# compile: -fno-pie
//# run: exit=0
//# look-at: libx.so
//# dynsym: alias type=FUNC value=symbol(real).value
int alias(void);
int (*volatile pointer)(void) = alias;
int main(void) { return alias() + pointer(); }
//# file: x.c -fPIC
int real(void) { return 0; }
