// With split DWARF the names are those that clang listed in tables of the inputs: entries of .dwo
// files, by the skeleton that names the file. lldb finds functions by them.
//# requires: clang++-19 lldb-19 llvm-dwarfdump-19
//# driver: g++
//# sh: clang++-19 -g -gdwarf-5 -gsplit-dwarf -gpubnames -c part.cc -o part.o
//# sh: clang++-19 -g -gdwarf-5 -gsplit-dwarf -gpubnames -c other.cc -o other.o
//# link: other.o main.o part.o -Wl,--debug-names
//# variant: plain:
//# variant: merged: -Wl,-O2
//# variant: packed: | -gz
//# check: llvm-dwarfdump-19 --debug-names $OUT >index
//# check: test $(grep -c 'Name Index @' index) = 1
//# check: grep -q 'CU count: 2' index && grep -q 'CU\[0\]: 0x00000000' index
//# check: for n in part _Z4partPN5space4PartE space Part whole other '(anonymous namespace)'; do grep -qF "\"$n\"" index || { echo "no $n"; exit 1; }; done
//# check: lldb-19 -b -o 'breakpoint set -n part' -o 'image lookup -t space::Part' -o 'statistics dump' $OUT >said 2>&1
//# check: grep -q 'where = .*part(space::Part\*)' said
//# check: grep -q 'qualified = "space::Part"' said
//# check: grep -q '"totalDebugInfoIndexTime": 0,' said
//# no-warning: .
//# run: exit=3
//# peers: none
namespace space { struct Part; }
int part(space::Part *);
int main() { return part(nullptr); }
//# file: part.cc
namespace space { struct Part { int first; } whole = {3}; }
int other(int);
int part(space::Part *p) { return p ? p->first : other(space::whole.first); }
//# file: other.cc
namespace { int hidden = 0; }
int other(int x) { return x + hidden; }
