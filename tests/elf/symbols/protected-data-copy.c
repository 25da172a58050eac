// A copy of a protected variable would leave the library with its own: an error, or no copy.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 code takes addresses of imports from no table, so that variables are copied
//# driver: gcc
//# compile: -fno-pie
//# shared: libx.so b.o
//# link: -no-pie main.o libx.so
//# expect-error: value
extern int value;
int main(void) { return value; }
//# file: b.c -fPIC
__attribute__((visibility("protected"))) int value = 1;
int get(void) { return value; }
