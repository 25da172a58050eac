// With -g3 each file has the macros of its own headers, those that several files share too, whose
// groups are there once: debuggers look for them where each file says that they are.
//# requires: gdb readelf
//# peers: none
//# variant: plain: -no-pie | -g3 -fno-pie
//# variant: old: -no-pie | -g3 -gdwarf-4 -fno-pie
//# variant: index: -no-pie -Wl,--gdb-index | -g3 -fno-pie
//# variant: types: -no-pie -Wl,--dedup-debug-types | -g3 -fno-pie
//# check: gdb -batch -ex "list first" -ex "macro expand OWN + SHARED" $OUT | grep "1 + 7"
//# check: gdb -batch -ex "list second" -ex "macro expand OWN + SHARED" $OUT | grep "2 + 7"
//# check: gdb -batch -ex "list second" -ex "macro expand FIRST" $OUT | grep "expands to: FIRST"
#define FIRST 3
#include "first.h"
#include "shared.h"
int second(void);
int first(void) { return OWN + SHARED; }
int main(void) { return first() + second() == 17 ? 0 : 1; }
//# file: b.c
#include "second.h"
#include "shared.h"
int second(void) { return OWN + SHARED; }
//# file: first.h
#define OWN 1
//# file: second.h
#define OWN 2
//# file: shared.h
#define SHARED 7
