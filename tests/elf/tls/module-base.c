// Local dynamic and TLSDESC share _TLS_MODULE_BASE_.
//# driver: gcc
//# compile: -fPIC -O2 -ftls-model=local-dynamic -mtls-dialect=gnu2
//# variant: pie: main.o lib.o
//# variant: shared: main.o libx.so
//# shared: libx.so lib.o
//# run: exit=6
int sum(void);
int main(void) { return sum(); }
//# file: lib.c
static _Thread_local int a = 1, b = 2, c = 3;
int sum(void) { return a + b + c; }
