// Inline functions and variables that objects define from different sources are told of, with the
// places; equal ones, and those that optimization alone made different, are not.
//# driver: g++
//# peers: none
//# variant: lines: main.o other.o -Wl,--detect-odr-violations | -g
//# @lines warning: while linking out: symbol 'pick\(\)' defined in multiple places \(possible ODR violation\):
//# @lines warning: (?s)pick.*main\.cc:\d+ from main\.o.*other\.cc:\d+ from other\.o
//# @lines warning: symbol 'Table<int>::cells' defined
//# @lines no-warning: symbol 'same
//# variant: sizes: main.o other.o -Wl,--detect-odr-violations | -g0
//# @sizes warning: (?s)symbol 'Table<int>::cells' .*\n  main\.o \(8 bytes\)\n  other\.o \(16 bytes\)
//# @sizes no-warning: symbol 'pick
//# variant: off: main.o other.o | -g
//# @off no-warning: ODR
#include "same.h"
template <class T> struct Table { static int cells[2]; };
template <class T> int Table<T>::cells[2] = {1, 2};
inline int __attribute__((noinline)) pick() { return 1; }
int other();
int main() { return pick() + same(3) + same_inlining(4) + other() + Table<int>::cells[0] == 0; }
//# file: other.cc -O2
#include "same.h"
template <class T> struct Table { static int cells[4]; };
template <class T> int Table<T>::cells[4] = {1, 2, 3, 4};
inline int __attribute__((noinline)) pick() { return 2; }
int other() { return pick() + same(4) + same_inlining(4) + Table<int>::cells[1]; }
//# file: same.h
inline int __attribute__((noinline)) same(int x) { return x * 7 + 1; }
inline int doubled(int x) { return x * 2; }
inline int __attribute__((noinline)) same_inlining(int x) { return doubled(x); }
