// .gdb_index has the names of all units: of lists that compilers made, and of entries where there
// are none; as gdb spells them. gdb reads it and finds all by it.
//# driver: g++
//# requires: gdb readelf
//# link: main.o other.o -Wl,--gdb-index
//# variant: entries: | -g
//# variant: dwarf4: | -g -gdwarf-4
//# variant: dwarf64: | -g -gdwarf64
//# variant: types: | -g -fdebug-types-section
//# variant: types4: | -g -gdwarf-4 -fdebug-types-section
//# variant: listed: | -g -ggnu-pubnames
//# variant: split: | -g -gsplit-dwarf
//# variant: zstd: -Wl,--compress-debug-sections=zstd | -g
//# variant: zlib-gnu: -Wl,--compress-debug-sections=zlib-gnu | -g
//# variant: sections: -Wl,--gc-sections | -g -ffunction-sections
//# variant: memory: -Wl,--separate-debug-file=out.dbg -Wl,--build-id | -g
//# @entries,dwarf4,dwarf64,types,types4,listed,split,zstd,zlib-gnu,sections section: .gdb_index type=PROGBITS flags= size>0
//# no-section: .debug_gnu_pubnames
//# no-section: .debug_gnu_pubtypes
//# @memory look-at: out.dbg
//# @memory section: .gdb_index size>0
//# check: f=$OUT; test -e out.dbg && f=out.dbg; readelf --debug-dump=gdb_index $f >index
//# check: grep -q '^Version 8' index
//# check: grep -Eq '\] main:.*\[global, function\]' index
//# @entries,dwarf4,dwarf64,zstd,zlib-gnu,sections,memory check: grep -Eq '\] space::Outer::Inner: [01] \[global, type\]' index
//# @types,types4 check: grep -Eq '\] space::Outer::Inner: T[0-9] \[global, type\]' index
//# check: grep -Eq '\] space::Outer::method:.*\[global, function\]' index
//# check: grep -Eq '\] space::answer:.*\[global, variable\]' index
//# check: grep -Eq '\] pair<long const, unsigned long>:.*\[global, type\]' index
//# check: grep -Eq '\] hidden:.*\[static, function\]' index
//# check: gdb -nx -batch -ex 'maint print objfiles' $OUT 2>&1 | grep -qE '\.gdb_index: version 8'
//# @entries,dwarf4,dwarf64,types,types4,listed,zstd,zlib-gnu,sections,memory check: gdb -nx -batch -ex 'break space::Outer::method' -ex 'ptype space::Outer::Inner' -ex 'info line other' $OUT >said 2>&1
//# @entries,dwarf4,dwarf64,types,types4,listed,zstd,zlib-gnu,sections,memory check: grep -q 'Breakpoint 1 at .*: file .*other.cc, line 3' said
//# @entries,dwarf4,dwarf64,types,types4,listed,zstd,zlib-gnu,sections,memory check: grep -q 'double weight;' said
//# @entries,dwarf4,dwarf64,types,types4,listed,zstd,zlib-gnu,sections,memory check: grep -q 'Line 5 of ".*other.cc"' said
//# run: exit=42
//# peers: none
#include "names.h"
static int hidden(int x) { return x - 1; }
pair<const long, long unsigned int> two;
int main() { return space::Outer::method(hidden(43)) - space::answer + (int)two.first; }
//# file: names.h
template <class A, class B> struct pair { B first; A *second; };
namespace space {
struct Outer {
    struct Inner { double weight; };
    static int method(int x);
};
extern int answer;
}
int other(int x);
//# file: other.cc
#include "names.h"
namespace space { int answer = 7; }
int space::Outer::method(int x) { Inner inner{(double)x}; return (int)inner.weight + other(7); }
__attribute__((noinline))
int other(int x) { return x; }
