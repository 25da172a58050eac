// A function that is called and whose address is taken in a library has one GOT entry.
//# driver: gcc
//# compile: -fPIC -O1
//# link: -shared -Wl,-z,now
//# reloc: symbol=outer count=1
//# peers: ld
void outer(void);
void *f(void) { outer(); return outer; }
