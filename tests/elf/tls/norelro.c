// Without RELRO, too, the two parts of the TLS template stand side by side.
//# variant: norelro: -Wl,-z,norelro
//# variant: static: -static -Wl,-z,norelro
//# run: stdout="6 0 5 0"
#include <stdio.h>
_Thread_local int local = 6, none;
int data = 5, zero;
int main(void) { printf("%d %d %d %d", local, none, data, zero); }
