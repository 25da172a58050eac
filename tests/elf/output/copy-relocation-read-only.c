// A copy of read-only data is put where it is read-only after relocation.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 code takes addresses of imports from no table, so that variables are copied
//# driver: gcc
//# compile: -fno-pie
//# shared: libfoo.so lib.o
//# link: -no-pie main.o libfoo.so
//# run: exit=3
//# symbol: value value>=segment(GNU_RELRO).address value<segment(GNU_RELRO).end
//# peers: lld
extern const int value;
int main(void) { return value; }
//# file: lib.c -fPIC
const int value = 3;
