// Code that is not position-independent in a library: the loader writes it (-z notext).
//# shared: liba.so a.o -Wl,-z,notext
//# lint-except: relocated-code its code needs it
//# link: liba.so
//# run: stdout="1011\n"
#include <stdio.h>
int f(int);
int ext = 1000;
int main(void) { printf("%d\n", f(1)); return 0; }
//# file: a.c -fno-pic
int data[2] = {5, 6};
int other(int);
extern int ext;
static int arr[3] = {1, 2, 3};
int f(int i) { return data[i] + arr[i] + other(i) + ext; }
int other(int x) { return x * 3; }
