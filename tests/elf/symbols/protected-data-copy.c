// A copy of a protected variable would leave the library with its own: an error, or no copy.
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
