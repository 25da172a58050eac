// A library uses its own address of a protected function: a program cannot have another one. It can
// call the function, and take the address through the GOT or in data that the loader writes.
//# @call machines: x86-64 aarch64 i386 x32 riscv64 m68k calls differ from addresses
//# @code,allowed machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x code has the addresses of imports, and does not load them
//# driver: gcc
//# compile: -O1 -fno-pie
//# shared: libx.so lib.o
//# variant: code: -no-pie code.o libx.so
//# variant: allowed: -no-pie code.o libx.so -Wl,--ignore-function-address-equality
//# variant: call: -no-pie call.o libx.so
//# variant: data: -no-pie data.o libx.so
//# variant: got: -no-pie code.o libx.so | -mno-direct-extern-access
//# link:
//# @code expect-error: (preempt|non-canonical reference).*f
//# @allowed run: exit=1
//# @call,data,got run: exit=0
//# @allowed peers: lld
//# file: code.c
void f(void);
int same(void (*)(void));
int main(void) { return same(f); }
//# file: call.c
void f(void);
int main(void) {
  f();
  return 0;
}
//# file: data.c
void f(void);
int same(void (*)(void));
void (*volatile pointer)(void) = f;
int main(void) { return same(pointer); }
//# file: lib.c -fPIC
__attribute__((visibility("protected"))) void f(void) {}
int same(void (*p)(void)) { return p != f; }
