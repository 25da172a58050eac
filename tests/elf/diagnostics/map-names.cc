// Names in maps and cross reference tables are demangled as GNU ld does it.
//# driver: g++
//# compile: -ffunction-sections
//# peers: ld
//# variant: default: -Wl,-Map=list,--cref
//# variant: raw: -Wl,-Map=list,--cref,--no-demangle
//# run
//# @default file-matches: list ^ {16}0x[0-9a-f]{16} {16}space::call\(int\)$
//# @default file-matches: list ^space::call\(int\) {34}main.o$
//# @raw file-matches: list ^ {16}0x[0-9a-f]{16} {16}_ZN5space4callEi$
//# @raw file-matches: list ^_ZN5space4callEi {34}main.o$
namespace space { int call(int x) { return x; } }
int main() { return space::call(0); }
