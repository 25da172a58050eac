// A type that several units define is in the output once (--dedup-debug-types=all), and debuggers
// find it from all of them: its members and functions, nested types, variables of it. A function
// that is defined outside of its class has a declaration of the class around it. A type whose name
// means two things stays in both units, and so does what refers to it. Two files are two things, the
// one that is numbered 0 too; what says no file is listed by unit.
//# requires: gdb g++ clang++-19 llvm-dwarfdump-19
//# driver: g++
//# variant: gcc4:
//# variant: gcc5: -Wl,--gdb-index
//# variant: clang4: -Wl,--compress-debug-sections=zlib
//# variant: clang5: -Wl,--separate-debug-file=debug
//# @gcc4 sh: for f in one two; do g++ -g -gdwarf-4 -x c++ -c $f.inc -o $f.o || exit 1; done
//# @gcc5 sh: for f in one two; do g++ -g -gdwarf-5 -x c++ -c $f.inc -o $f.o || exit 1; done
//# @clang4 sh: for f in one two; do clang++-19 -g -gdwarf-4 -x c++ -c $f.inc -o $f.o || exit 1; done
//# @clang5 sh: for f in one two; do clang++-19 -g -gdwarf-5 -x c++ -c $f.inc -o $f.o || exit 1; done
//# link: one.o two.o -Wl,--dedup-debug-types=all
//# check: llvm-dwarfdump-19 --verify $OUT | grep -q 'No errors'
//# check: d=$OUT; test ! -e debug || d=debug; llvm-dwarfdump-19 --debug-info $d >info
//# check: test $(grep -c 'DW_AT_name.*("Inner")' info) = 1
//# check: test $(grep -c 'DW_AT_name.*("weight")' info) = 1
//# check: test $(grep -c 'DW_AT_name.*("GREEN")' info) = 1
//# check: test $(grep -c 'DW_AT_name.*("odd_[12]")' info) = 2
//# check: test $(grep -c 'DW_AT_name.*("holds")' info) = 2
//# check: test $(grep -c 'DW_AT_name.*("twin")' info) = 2
//# @clang4,clang5 check: test $(grep -c 'DW_AT_name.*("__va_list_tag")' info) = 2
//# check: gdb -nx -batch -ex 'break shape::Box::volume' -ex run -ex 'ptype this' -ex 'print *this' -ex 'ptype shape::Box::Inner' -ex 'print shape::GREEN' -ex 'ptype Odd' -ex up -ex 'ptype box' -ex 'print box' -ex 'ptype Odd' -ex 'ptype Holder' -ex 'print sizeof(shape::Box)' $OUT >said 2>&1
//# check: grep -q 'Breakpoint 1, shape::Box::volume (this=.*) at two.inc:3' said
//# check: test $(grep -c 'double weight;' said) = 2
//# check: test $(grep -c 'int volume(void);' said) = 2
//# check: test $(grep -c '= {weight = 2.5, inner = {deep = 3, up = 0x0}, color = shape::GREEN}' said) = 2
//# check: test $(grep -c 'long odd_1;' said) = 1 && test $(grep -c 'char odd_2;' said) = 1
//# check: grep -q '^\$4 = 32' said
//# run: exit=9
//# peers: none
//# file: shape.h
namespace shape {
enum Color { RED, GREEN };
struct Box {
    double weight;
    struct Inner { int deep; Inner *up; } inner;
    Color color;
    int volume();
    int twice() const { return 2 * inner.deep; }
};
}
//# file: two.inc
struct Twin { int twin; } twin_two; __builtin_va_list list_two;
#include "shape.h"
int shape::Box::volume() { return inner.deep; }
struct Odd { char odd_2; };
struct Holder { Odd *holds; };
char odd(const Holder &holder) { return holder.holds->odd_2; }
//# file: one.inc
struct Twin { int twin; } twin_one; __builtin_va_list list_one;
#include "shape.h"
struct Odd { long odd_1; };
struct Holder { Odd *holds; };
int main() {
    shape::Box box = {2.5, {3, nullptr}, shape::GREEN};
    Odd odd = {0};
    Holder holder = {&odd};
    return box.volume() + box.twice() + (int)holder.holds->odd_1;
}
