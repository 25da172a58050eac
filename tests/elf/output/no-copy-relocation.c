// -z nocopyreloc makes a needed copy an error.
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
