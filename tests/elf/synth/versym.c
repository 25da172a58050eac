// .gnu.version, .gnu.version_r of a program that uses libc.
//# section: .gnu.version type=GNU_VERSYM flags=A entsize=2
//# section: .gnu.version_r type=GNU_VERNEED flags=A info=1
//# dynamic: VERNEEDNUM value=1
//# dynsym: puts@GLIBC_2.2.5 section=UND
//# run
#include <stdio.h>
int main(void) { puts(""); }
