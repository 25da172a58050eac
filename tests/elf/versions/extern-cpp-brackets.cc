// A bracket without an end is an ordinary byte of a pattern for names of C++, which have brackets, in
// version scripts and dynamic lists. lld refuses it.
//# machines: x86-64 aarch64 long is 64 bits wide in a name
//# driver: g++
//# compile: -fPIC
//# variant: script: -shared main.o -Wl,--version-script=v.map
//# variant: list: -pie main.o -Wl,--dynamic-list=list
//# @script dynsym: _ZN1SixEi@@V1
//# @script dynsym: _ZN1SnaEm@@V1
//# @script no-dynsym: _ZN1SclEv
//# @list dynsym: _ZN1SixEi
//# @list dynsym: _ZN1SnaEm
//# @list no-dynsym: _ZN1SclEv
//# peers: ld
#include <cstddef>
struct S {
    int operator[](int);
    void *operator new[](size_t);
    void operator()();
};
static char room[8];
int S::operator[](int i) { return i; }
void *S::operator new[](size_t) { return room; }
void S::operator()() {}
int main() {}
//# file: v.map
V1 { global: extern "C++" { S::operator[]*; S::operator?new[]*; }; local: *; };
//# file: list
{ extern "C++" { S::operator[]*; S::operator?new[]*; }; };
