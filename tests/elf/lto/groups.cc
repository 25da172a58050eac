// One copy of what an inline function has is there, whoever of intermediate code and code comes
// first, also if a call that optimisation makes takes a member of an archive afterwards.
//# machines: x86-64 aarch64 x32 there is a type of 128 bits
//# compile: -O2
//# variant: first: main.o code.o
//# variant: last: code.o main.o
//# sh: g++ -O2 -c divide.cc && ar rc lib.a divide.o
//# sh: g++ -O2 -flto -fno-fat-lto-objects -c -xc++ main.inc -o main.o
//# link: lib.a -flto -O2
//# run: exit=42
//# peers: none
//# file: counter.h
inline int next() { static int count; return ++count; }
//# file: main.inc
#include "counter.h"
int from_code();
volatile long long low = 210, divisor = 7;
int main()
{
    next();
    __int128 dividend = low, by = divisor;
    return (int)(dividend / by) + from_code() + 7;
}
//# file: code.cc
#include "counter.h"
int from_code() { return next(); }
//# file: divide.cc
#include "counter.h"
extern "C" __int128 __divti3(__int128 a, __int128 b) { return (long long)a / (long long)b + next(); }
