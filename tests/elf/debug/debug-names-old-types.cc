// Type units of DWARF 4 are in a section that the table cannot name, and gdb looks for types nowhere else.
//# driver: g++
//# compile: -g -gdwarf-4 -fdebug-types-section
//# variant: names: -Wl,--debug-names
//# variant: index: -Wl,--gdb-index
//# @names warning: \.debug_names cannot list the types of \.debug_types
//# @index no-warning: .
//# run: exit=3
//# peers: none
struct Pair { int first, second; };
int main() { Pair pair = {1, 2}; return pair.first + pair.second; }
