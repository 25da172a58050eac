// Where no compiler listed the names of a unit that was split off, they are read from its .dwo file:
// scopes, type units, and the same names that lists of the compiler would have.
//# requires: gdb g++ clang++-19
//# variant: five: -Wl,--gdb-index part.o
//# variant: four: -Wl,--gdb-index part.o
//# variant: types: -Wl,--gdb-index part.o
//# variant: types4: -Wl,--gdb-index part.o
//# variant: compressed: -Wl,--gdb-index part.o
//# variant: single: -Wl,--gdb-index part.o
//# @five sh: clang++-19 -g -gdwarf-5 -gsplit-dwarf -gno-pubnames -c part.cc -o part.o
//# @four sh: clang++-19 -g -gdwarf-4 -gsplit-dwarf -gno-pubnames -c part.cc -o part.o
//# @types sh: clang++-19 -g -gdwarf-5 -gsplit-dwarf -gno-pubnames -fdebug-types-section -c part.cc -o part.o
//# @types4 sh: clang++-19 -g -gdwarf-4 -gsplit-dwarf -gno-pubnames -fdebug-types-section -c part.cc -o part.o
//# @compressed sh: clang++-19 -g -gdwarf-5 -gsplit-dwarf -gno-pubnames -gz -c part.cc -o part.o
//# @single sh: clang++-19 -g -gdwarf-5 -gsplit-dwarf=single -gno-pubnames -c part.cc -o part.o
//# link: main.o
//# check: gdb -nx -batch -ex 'maint print objfiles' $OUT 2>&1 | grep -qE '\.gdb_index: version 8'
//# check: readelf --debug-dump=gdb_index $OUT >index
//# check: grep -qE '\] space::part\(int\): .*\[global, function\]' index || grep -qE '\] space::part: .*\[global, function\]' index
//# check: grep -qE '\] space::Pair: .*\[static, type\]|\] space::Pair: .*\[global, type\]' index
//# @five,four,compressed,single check: grep -qE '\] space::Pair::Inner: .*type\]' index
//# check: grep -qE '\] own: .*\[static, variable\]' index
//# check: grep -qE '\] Blue: .*variable\]' index
//# check: gdb -nx -batch -ex 'break space::part' -ex 'ptype space::Pair' $OUT >said 2>&1
//# check: grep -q 'Breakpoint 1 at .*: file .*part.cc, line 4' said
//# check: grep -q 'double second;' said
//# run: exit=3
//# peers: none
namespace space { int part(int); }
int main() { return space::part(2); }
//# file: part.cc
enum Color { Red, Blue };
static int own = 1;
namespace space { struct Pair { struct Inner { int first; } in; double second; };
int part(int n) { Pair p = {{n}, 1}; Color c = Blue; return p.in.first + (int)p.second + own - c; } }
