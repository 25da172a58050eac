// With split DWARF the names are those that the compiler listed; what is in the .dwo files gdb finds
// by them.
//# requires: gdb gcc
//# variant: five: -Wl,--gdb-index part.o
//# variant: four: -Wl,--gdb-index part.o
//# @five sh: gcc -g -gdwarf-5 -gsplit-dwarf -c part.c -o part.o
//# @four sh: gcc -g -gdwarf-4 -gsplit-dwarf -c part.c -o part.o
//# link: main.o
//# check: gdb -nx -batch -ex 'maint print objfiles' $OUT 2>&1 | grep -qE '\.gdb_index: version 8'
//# check: gdb -nx -batch -ex 'break part' -ex 'ptype struct pair' -ex run -ex 'print p->second' $OUT >said 2>&1
//# check: grep -q 'Breakpoint 1 at .*: file part.c, line 2' said
//# check: grep -q 'double second;' said
//# check: grep -q '= 2.5' said
//# run: exit=3
//# peers: none
struct pair { int first; double second; };
int part(struct pair *);
int main(void) { struct pair p = {1, 2.5}; return part(&p); }
//# file: part.c
struct pair { int first; double second; };
int part(struct pair *p) { return p->first + (int)p->second; }
