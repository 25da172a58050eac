// GNU ld's script lets RELRO end behind the three reserved words of .got.plt: a program without lazy PLT
// entries has them, too, or else RELRO would reach into .data.
//# driver: gcc
//# compile: -O1
//# requires: ld sed
//# sh: ld --verbose | sed '1,/^=====/d;/^=====/,$d' > plain.ld
//# link: -static -Wl,-T,plain.ld
//# section: .got.plt size=24
//# run: stdout="1 2\n"
//# peers:
#include <stdio.h>
int first = 1, second = 2;
int main(void) { printf("%d %d\n", first, second); return 0; }
