// make's job server reaches the compilers that GCC's plugin starts.
//# peers: none
//# requires: make
//# sh: gcc -O1 -flto -xc -c part.inc -o part.o
//# sh: printf '#!/bin/sh\necho "$MAKEFLAGS" >>log\nexec make "$@"\n' >logging && chmod +x logging
//# sh: printf 'x:\n\t+MAKE=./logging gcc -O1 -flto=jobserver -flto-partition=1to1 -B%s main.o part.o -o x\n' $(dirname $LD) >rules
//# sh: rm -f x log && env -u MAKEFLAGS make -f rules -j2 >messages 2>&1 && grep -q jobserver log && test -e x
//# compile: -O1 -flto
//# link: main.o part.o -flto -O1
//# run: exit=7
int part(int);
int main(void) { return part(3); }
//# file: part.inc
__attribute__((noinline)) int part(int x) { return x + 4; }
