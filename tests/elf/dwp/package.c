// --dwp makes what llvm-dwp makes of the finished program: the same units with the same strings, and
// type units once. Debuggers use it when the .dwo files are gone.
//# peers:
//# requires: llvm-dwp-19 llvm-dwarfdump-19 gdb
//# driver: g++
//# sh: rm -rf away *.dwo *.dwp && mkdir away
//# @gcc5 sh: for f in first second; do g++ -x c++ -g -gdwarf-5 -gsplit-dwarf -c $f.inc -o $f.o || exit 1; done
//# @gcc4 sh: for f in first second; do g++ -x c++ -g -gdwarf-4 -gsplit-dwarf -c $f.inc -o $f.o || exit 1; done
//# @types5 sh: for f in first second; do g++ -x c++ -g -gdwarf-5 -gsplit-dwarf -fdebug-types-section -c $f.inc -o $f.o || exit 1; done
//# @types4 sh: for f in first second; do g++ -x c++ -g -gdwarf-4 -gsplit-dwarf -fdebug-types-section -c $f.inc -o $f.o || exit 1; done
//# @lists sh: for f in first second; do g++ -x c++ -g -O2 -gdwarf-5 -gsplit-dwarf -c $f.inc -o $f.o || exit 1; done
//# @clang5 sh: for f in first second; do clang++-19 -x c++ -g -gdwarf-5 -gsplit-dwarf -fdebug-types-section -c $f.inc -o $f.o || exit 1; done
//# @clang4 sh: for f in first second; do clang++-19 -x c++ -g -gdwarf-4 -gsplit-dwarf -fdebug-types-section -c $f.inc -o $f.o || exit 1; done
//# @packed sh: for f in first second; do clang++-19 -x c++ -g -gdwarf-5 -gsplit-dwarf -gz=zlib -c $f.inc -o $f.o || exit 1; done
//# @single sh: for f in first second; do clang++-19 -x c++ -g -gdwarf-5 -gsplit-dwarf=single -c $f.inc -o $f.o || exit 1; done
//# link: main.o first.o second.o -Wl,--dwp=out.dwp
//# variant: gcc5
//# variant: gcc4
//# variant: types5
//# variant: types4
//# variant: lists
//# variant: clang5
//# variant: clang4
//# variant: packed
//# variant: single
//# run: exit=0
//# check: llvm-dwarfdump-19 --verify out.dwp
//# check: llvm-dwp-19 -e out -o other.dwp; dump() { llvm-dwarfdump-19 --debug-info --debug-types --debug-loclists $1 | grep -v 'file format' | sed -E 's/0x[0-9a-f]{8}//g; s/next unit at [^)]*//' | sort; }; dump out.dwp >ours && dump other.dwp >theirs && test $(wc -l <ours) -gt 40 && cmp ours theirs
//# check: rows() { llvm-dwarfdump-19 --debug-cu-index --debug-tu-index $1 | grep -oE ' 0x[0-9a-f]{16} ' | sort; }; rows out.dwp >ours && rows other.dwp >theirs && test -s ours && cmp ours theirs
//# @types5,types4,clang5,clang4 check: llvm-dwarfdump-19 --debug-tu-index out.dwp | grep -q 'units = 1,'
//# check: objcopy -O binary --only-section=.debug_str.dwo --set-section-flags .debug_str.dwo=alloc out.dwp strings && test $(tr '\0' '\n' <strings | grep -c '^Point$') = 1
//# @gcc4,types4,clang4 check: mv -f *.dwo away; gdb -batch -ex 'break second.inc:2' -ex run -ex 'info locals' -ex 'print *point' out >said 2>&1 || true; mv away/* .; grep -q 'second.inc:2' said && grep -q 'x = 1, y = 2' said && grep -q 'result = ' said
//# @gcc4 check: mv -f *.dwo out.dwp away; gdb -batch -ex 'break second.inc:2' -ex run -ex 'print *point' out >said 2>&1 || true; mv away/* .; ! grep -q 'x = 1, y = 2' said
int first(void);
int main(void) { return first() - 9; }
//# file: first.inc
struct Point { int x, y; };
int second(Point *point);
template <class T> T twice(T value) { T sum = value + value; return sum; }
extern "C" int first(void) { Point point = {1, 2}; return second(&point) + twice(3); }
//# file: second.inc
struct Point { int x, y; };
int second(Point *point) { int result = point->x + point->y; return result; }
