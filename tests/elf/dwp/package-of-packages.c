// A file that skeleton units name may be a package itself, of one file or of several: --dwp makes the
// package that it makes of the files, and so does it again of that.
//# peers:
//# requires: llvm-dwp-19 llvm-dwarfdump-19
//# driver: g++
//# variant: gcc5
//# variant: gcc4
//# variant: types5
//# variant: types4
//# sh: rm -rf whole *.dwo *.dwp && mkdir whole
//# @gcc5 sh: for f in first second third; do g++ -x c++ -g -gdwarf-5 -fPIC -gsplit-dwarf -c $f.inc -o $f.o || exit 1; done
//# @gcc4 sh: for f in first second third; do g++ -x c++ -g -gdwarf-4 -fPIC -gsplit-dwarf -c $f.inc -o $f.o || exit 1; done
//# @types5 sh: for f in first second third; do g++ -x c++ -g -gdwarf-5 -fdebug-types-section -fPIC -gsplit-dwarf -c $f.inc -o $f.o || exit 1; done
//# @types4 sh: for f in first second third; do g++ -x c++ -g -gdwarf-4 -fdebug-types-section -fPIC -gsplit-dwarf -c $f.inc -o $f.o || exit 1; done
//# sh: "$LD" -shared first.o second.o third.o -o x.so --dwp=whole/out.dwp
//# sh: "$LD" -shared first.o -o x.so --dwp=first.dwp && mv -f first.dwp first.dwo
//# sh: llvm-dwp-19 second.dwo third.dwo -o both.dwp && mv -f both.dwp second.dwo
//# link: main.o first.o second.o -Wl,--dwp=out.dwp
//# run:
//# check: llvm-dwarfdump-19 --verify out.dwp
//# check: dump() { llvm-dwarfdump-19 --debug-info --debug-types $1 | grep -v 'file format' | sed -E 's/0x[0-9a-f]{8}//g; s/next unit at [^)]*//' | sort; }; dump out.dwp >ours && dump whole/out.dwp >theirs && test $(wc -l <ours) -gt 40 && cmp ours theirs
//# check: rows() { llvm-dwarfdump-19 --debug-cu-index --debug-tu-index $1 | grep -oE ' 0x[0-9a-f]{16} ' | sort; }; rows out.dwp >ours && rows whole/out.dwp >theirs && test $(wc -l <ours) -ge 3 && cmp ours theirs
//# check: mv -f first.dwo kept.dwo; cp out.dwp first.dwo; "$LD" -shared first.o -o x.so --dwp=again.dwp && llvm-dwarfdump-19 --verify again.dwp && llvm-dwarfdump-19 --debug-info again.dwp | grep -q '"third"'; said=$?; mv -f kept.dwo first.dwo; test $said = 0
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
//# file: third.inc
struct Point { int x, y; };
struct Line { Point from, to; };
extern "C" int third(Line *line) { return line->from.x - line->to.x; }
