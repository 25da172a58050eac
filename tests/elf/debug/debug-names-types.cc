// Types in units of their own in .dwo files are known by signatures: of two inputs that have the
// same type the table has one signature, and an entry for each skeleton.
//# requires: clang++-19 llvm-dwarfdump-19
//# driver: g++
//# sh: clang++-19 -g -gdwarf-5 -gsplit-dwarf -gpubnames -fdebug-types-section -c part.cc -o part.o
//# sh: clang++-19 -g -gdwarf-5 -gsplit-dwarf -gpubnames -fdebug-types-section -c other.cc -o other.o
//# sh: llvm-dwarfdump-19 --debug-names part.o other.o | sed -n 's/.*ForeignTU.*: //p' | sort -u >listed
//# link: main.o part.o other.o -Wl,--debug-names
//# check: llvm-dwarfdump-19 --debug-names $OUT >index
//# check: grep -q 'Foreign TU count: 2' index && grep -q 'CU count: 2' index
//# check: sed -n 's/.*ForeignTU.*: //p' index | sort | cmp - listed
//# check: sed -n '/"Shared"/,/^    }/p' index | grep -c 'DW_IDX_type_unit: 0' | grep -qx 2
//# check: sed -n '/"Shared"/,/^    }/p' index | grep -q 'DW_IDX_compile_unit: 1'
//# check: sed -n '/"Own"/,/^    }/p' index | grep -q 'DW_IDX_type_unit: 1'
//# no-warning: .
//# run: exit=9
//# peers: none
int part();
int main() { return part(); }
//# file: shared.h
struct Shared { int first; };
//# file: part.cc
#include "shared.h"
int other(Shared *);
int part() { Shared s = {4}; return other(&s); }
//# file: other.cc
#include "shared.h"
struct Own { int second; };
int other(Shared *s) { Own own = {5}; return s->first + own.second; }
