// Thread-local variables are data: with --dynamic-list-data a program's own come first.
//# peers: ld
//# compile: -O1 -fPIC
//# variant: general: | -ftls-model=global-dynamic
//# variant: initial: | -ftls-model=initial-exec
//# variant: descriptors: | -mtls-dialect=gnu2
//# shared: lib.so lib.o -Wl,--dynamic-list-data
//# link: main.o lib.so -Wl,-rpath,.
//# run: exit=1
__thread int where = 1;
int library(void);
int main(void) { return library(); }
//# file: lib.c
__thread int where = 2;
int library(void) { return where; }
