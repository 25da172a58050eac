// -z nocopyreloc makes a needed copy an error.
//# machines: x86-64 aarch64 x32 code has distances, which no loader writes
//# driver: gcc
//# compile: -fno-pie
//# shared: libfoo.so lib.o
//# link: -no-pie main.o libfoo.so -z nocopyreloc
//# expect-error: value
//# peers: lld
extern int value;
int main(void) { return value; }
//# file: lib.c -fPIC
int value = 3;
