// A weak reference to a library that --as-needed leaves out is one to nothing: no PLT entry and no
// copy gives it an address. Where another library that is needed has the symbol, it is that one's.
//# driver: gcc
//# compile: -O1 -fno-pie
//# shared: libdrop.so drop.o
//# shared: libneed.so need.o
//# variant: plain: -Wl,--as-needed
//# variant: now: -Wl,--as-needed -Wl,-z,now
//# variant: gc: -Wl,--as-needed -Wl,--gc-sections
//# variant: pic: -Wl,--as-needed | -fPIC
//# @pic peers: ld lld
//# link: -no-pie main.o libdrop.so libneed.so
//# run: exit=42
//# no-dynamic: NEEDED value="libdrop.so"
//# dynamic: NEEDED value="libneed.so"
//# no-reloc: R_X86_64_COPY symbol=data
//# no-dynsym: called value>0
//# no-dynsym: data value>0
//# peers: ld
extern void called(void) __attribute__((weak));
extern void resolved(void) __attribute__((weak));
extern int data __attribute__((weak));
extern int both __attribute__((weak));
int needed(void);
int main(void) {
  if (called)
    called();
  if (resolved)
    resolved();
  return &data ? data : &both ? both + needed() : 1;
}
//# file: drop.c -fPIC
void called(void) {}
static void *resolve(void) { return (void *)called; }
void resolved(void) __attribute__((ifunc("resolve")));
int data = 1;
int both = 2;
//# file: need.c -fPIC
int both = 40;
int needed(void) { return both == 40 ? 2 : 3; }
