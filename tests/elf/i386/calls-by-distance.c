// Code that is not position-independent calls by R_386_PC32, the type of any distance. A call needs no
// address of the function: the library may protect it, and its PLT entry is not its address.
//# peers: ld
//# link: -no-pie main.o libb.so
//# shared: libb.so b.o
//# run: stdout="7 1\n"
//# dynsym: guarded value=0
//# dynsym: own_address value=0
//# file: main.c -fno-pie
int printf(const char *, ...);
int guarded(void), own_address(void);
int main(void) { return printf("%d %d\n", guarded(), own_address()) != 4; }
//# file: b.c -fPIC
__attribute__((visibility("protected"))) int guarded(void) { return 7; }
int own_address(void);
int (*pointer)(void) = own_address;
int own_address(void) { return pointer == own_address; }
