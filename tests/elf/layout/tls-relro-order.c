// TLS data, constructors and constants come before what is written later.
//# compile: -fPIE
//# link: -pie
//# section: .tdata address<section(.data).address
//# section: .init_array address<section(.data).address
//# section: .dynamic address<section(.data).address
//# section: .data address<section(.bss).address
//# section: .rodata address<section(.data).address
//# run
#include <stdio.h>
_Thread_local int t = 1;
int d = 1, b;
int main(void) { printf("%d%d%d", t, d, b); }
