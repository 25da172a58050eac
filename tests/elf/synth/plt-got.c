// A function that is called and whose address is taken in a library has one GOT entry.
//# machines: x86-64 i386 x32 the compiler reaches outer by the GOT alone
//# driver: gcc
//# compile: -fPIC -O1
//# link: -shared -Wl,-z,now
//# reloc: symbol=outer count=1
//# peers: ld
void outer(void);
void *f(void) { outer(); return outer; }
