// Names in maps and cross reference tables are as they are in objects; --demangle demangles them as
// GNU ld does without being asked.
//# driver: g++
//# compile: -ffunction-sections
//# @demangled,raw peers: ld
//# @default peers:
//# variant: demangled: -Wl,-Map=list,--cref,--demangle
//# variant: raw: -Wl,-Map=list,--cref,--no-demangle
//# variant: default: -Wl,-Map=list,--cref
//# run
//# @demangled file-matches: list ^ {16}0x[0-9a-f]{16} {16}space::call\(int\)$
//# @demangled file-matches: list ^space::call\(int\) {34}main.o$
//# @raw,default file-matches: list ^ {16}0x[0-9a-f]{16} {16}_ZN5space4callEi$
//# @raw,default file-matches: list ^_ZN5space4callEi {34}main.o$
namespace space { int call(int x) { return x; } }
int main() { return space::call(0); }
