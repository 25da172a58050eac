// Tables of inputs (clang -gpubnames) are replaced, and lldb finds all in the one that is made,
// without reading entries to make one of its own.
//# requires: clang++-19 lldb-19 llvm-dwarfdump-19
//# driver: g++
//# variant: listed:
//# variant: split:
//# @listed sh: clang++-19 -g -gdwarf-5 -gpubnames -c part.cc -o part.o
//# @split sh: clang++-19 -g -gdwarf-5 -gsplit-dwarf -c part.cc -o part.o
//# compile: -g -gdwarf-5
//# link: main.o part.o -Wl,--debug-names
//# check: llvm-dwarfdump-19 --debug-names $OUT >index
//# check: test $(grep -c 'Name Index @' index) = 1
//# check: llvm-dwarfdump-19 --verify --debug-names $OUT | grep -q 'No errors'
//# check: lldb-19 -b -o 'breakpoint set -n part' -o 'image lookup -t space::Part' -o 'statistics dump' $OUT >said 2>&1
//# check: grep -q 'where = .*part(space::Part\*)' said
//# check: grep -q 'qualified = "space::Part"' said
//# @listed check: grep -q 'CU count: 2' index
//# @listed check: grep -q '"totalDebugInfoIndexTime": 0,' said
//# @split check: grep -q 'CU count: 1' index
//# run: exit=3
//# peers: none
namespace space { struct Part; }
int part(space::Part *);
int main() { return part(nullptr); }
//# file: part.cc
namespace space { struct Part { int first; } whole = {3}; }
int part(space::Part *p) { return p ? p->first : space::whole.first; }
