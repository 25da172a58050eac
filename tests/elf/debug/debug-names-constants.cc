// Constants that need no address are in the table where they stand outside functions, as in clang's
// own tables, and those of functions are not. gcc gives the value of one in a namespace to a
// declaration, which no table has.
//# requires: g++ clang++-19 llvm-dwarfdump-19
//# driver: g++
//# variant: gcc:
//# variant: clang:
//# @gcc sh: g++ -g -gdwarf-5 -O1 -c part.cc -o part.o
//# @clang sh: clang++-19 -g -gdwarf-5 -gpubnames -O1 -c part.cc -o part.o
//# @clang sh: llvm-dwarfdump-19 --debug-names part.o | sed -n 's/.*String: 0x[0-9a-f]* //p' | LC_ALL=C sort >listed
//# link: main.o part.o -Wl,--debug-names
//# check: llvm-dwarfdump-19 --debug-names $OUT >index
//# check: grep -q '"outer"' index
//# @clang check: for n in within unnamed; do grep -q "\"$n\"" index || { echo "no $n"; exit 1; }; done
//# check: ! grep -qE '"(member|local)"' index
//# check: llvm-dwarfdump-19 --verify --debug-names $OUT | grep -q 'No errors'
//# @clang check: sed -n 's/.*String: 0x[0-9a-f]* //p' index | LC_ALL=C sort | cmp - listed
//# run: exit=31
//# peers: none
int part(int);
int main() { return part(1); }
//# file: part.cc
static const int outer = 5;
namespace space { constexpr long within = 7; struct S { static const int member = 11; }; }
namespace { const unsigned char unnamed = 6; }
int part(int x) {
    const int local = 2;
    return x * outer + space::within + unnamed + space::S::member + local;
}
