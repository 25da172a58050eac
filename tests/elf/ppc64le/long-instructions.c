// Code with instructions of eight bytes: calls without a TOC, loads from the GOT, thread-local
// variables of all models, in programs and through libraries of either kind of code.
//# variant: pie: -pie
//# variant: fixed: -no-pie
//# variant: static: -static
//# variant: kept: -pie -Wl,--no-relax
//# compile: -O2 -fPIC -mcpu=power10
//# shared: libother.so other.o
//# shared: libold.so old.o
//# @pie,fixed,kept link: main.o more.o -L. -lother -lold -Wl,-rpath,$ORIGIN
//# @static link: main.o more.o other.o old.o
//# run: stdout="1 2 3 4 16 12\n" env=QEMU_CPU=power10
//# peers: ld lld
#include <stdio.h>
__thread int local = 1;
static __thread int own = 3;
extern __thread int elsewhere;
extern __thread int initial __attribute__((tls_model("initial-exec")));
int from_library(int), from_old(int (*)(int), int);
extern int data;
static int add(int x) { return x + data; }
int main(void) {
  printf("%d %d %d %d %d %d\n", local, elsewhere, own, initial, from_library(5), from_old(add, 1));
}
//# file: more.c
__thread int initial = 4;
//# file: other.c
__thread int elsewhere = 2;
static __thread int counter = 1;
int data = 10;
int from_library(int x) { return ++counter - 1 + x + data; }
//# file: old.c -mcpu=power8
int from_old(int (*f)(int), int x) { return f(x) + 1; }
