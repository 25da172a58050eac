// With --gc-sections only what stays makes a library needed: after that a weak reference to it is
// one to nothing, also where a strong one went.
//# driver: gcc
//# compile: -O1 -fno-pie -ffunction-sections
//# shared: libdrop.so drop.o
//# link: -no-pie main.o -Wl,--gc-sections -Wl,--as-needed libdrop.so
//# run: exit=42
//# no-dynamic: NEEDED value="libdrop.so"
//# no-reloc: R_X86_64_COPY
//# no-dynsym: weakly value>0
//# peers: lld
extern void weakly(void) __attribute__((weak));
extern int data __attribute__((weak));
void strongly(void);
void dead(void) { strongly(); }
int main(void) {
  if (weakly)
    weakly();
  return &data ? data : 42;
}
//# file: drop.c -fPIC
int data = 1;
void weakly(void) {}
void strongly(void) {}
