// With -g3 GCC puts the macros that files have in common into sections of their own. In DWARF 4 nobody
// can read them from .dwo files: gdb gives a program up for it, also with the packages of dwp and
// llvm-dwp if there are enough of them. So the package does without.
//# peers:
//# requires: llvm-dwp-19 llvm-dwarfdump-19 gdb
//# driver: gcc
//# sh: rm -rf away *.dwo *.dwp && mkdir away
//# @gcc4 sh: for f in first second; do gcc -x c -g3 -gdwarf-4 -gsplit-dwarf -c $f.inc -o $f.o || exit 1; done
//# @types4 sh: for f in first second; do gcc -x c -g3 -gdwarf-4 -gsplit-dwarf -fdebug-types-section -c $f.inc -o $f.o || exit 1; done
//# @clang4 sh: for f in first second; do clang-19 -x c -g -fdebug-macro -gdwarf-4 -gsplit-dwarf -c $f.inc -o $f.o || exit 1; done
//# @gcc5 sh: for f in first second; do gcc -x c -g3 -gdwarf-5 -gsplit-dwarf -c $f.inc -o $f.o || exit 1; done
//# @clang5 sh: for f in first second; do clang-19 -x c -g -fdebug-macro -gdwarf-5 -gsplit-dwarf -c $f.inc -o $f.o || exit 1; done
//# link: main.o first.o second.o -Wl,--dwp=out.dwp
//# variant: gcc4
//# variant: types4
//# variant: clang4
//# variant: gcc5
//# variant: clang5
//# run: exit=0
//# check: llvm-dwarfdump-19 --verify out.dwp
//# check: llvm-dwp-19 -e out -o other.dwp; rows() { llvm-dwarfdump-19 --debug-cu-index --debug-tu-index $1 | grep -oE ' 0x[0-9a-f]{16} ' | sort; }; rows out.dwp >ours && rows other.dwp >theirs && test -s ours && cmp ours theirs
//# @gcc4,types4 check: ! readelf -SW out.dwp | grep -q debug_macro
//# @gcc5,clang5 check: readelf -SW out.dwp | grep -q debug_macro
//# @gcc4,types4,clang4 check: mv -f *.dwo away; gdb -batch -ex 'break second' -ex run -ex 'print *point' out >said 2>&1 || true; mv away/* .; grep -q 'x = 1, y = 2' said
int first(void);
int main(void) { return first() - 3; }
//# file: first.inc
#include <stddef.h>
#define ONE 1
struct Point { int x, y; };
int second(struct Point *point);
int first(void) { struct Point point = {ONE, 2}; return second(&point); }
//# file: second.inc
#include <stddef.h>
#define SUM(a, b) ((a) + (b))
struct Point { int x, y; };
int second(struct Point *point) { return SUM(point->x, point->y); }
