// --debug-names: one .debug_names of all units, made of their entries, whoever compiled them, and
// whether or not inputs have tables of their own. LLVM's verifier finds that no name is missing.
//# machines: x86-64 i386 x32 the compiler says where thread-local variables are
//# driver: g++
//# requires: readelf llvm-dwarfdump-19
//# link: main.o other.o -Wl,--debug-names
//# variant: entries: | -g -gdwarf-5
//# variant: dwarf4: | -g -gdwarf-4
//# variant: dwarf64: | -g -gdwarf-5 -gdwarf64
//# variant: types: | -g -gdwarf-5 -fdebug-types-section
//# variant: optimised: -Wl,-O2 | -g -gdwarf-5 -O2
//# variant: zstd: -Wl,--compress-debug-sections=zstd | -g -gdwarf-5
//# variant: packed: | -g -gdwarf-5 -gz
//# variant: sections: -Wl,--gc-sections | -g -gdwarf-5 -ffunction-sections
//# variant: memory: -Wl,--separate-debug-file=out.dbg -Wl,--build-id | -g -gdwarf-5
//# variant: both: -Wl,--gdb-index | -g -gdwarf-5
//# @memory look-at: out.dbg
//# section: .debug_names type=PROGBITS flags= size>0
//# @both section: .gdb_index size>0
//# check: f=$OUT; test -e out.dbg && f=out.dbg; cp $f file; llvm-dwarfdump-19 --debug-names file >index
//# @types check: grep -q 'Local TU count: [1-9]' index
//# check: llvm-dwarfdump-19 --verify --debug-names file >said 2>&1 || { cat said; false; }
//# check: grep -q 'No errors' said
//# check: for n in main hidden method _ZN5space5Outer6methodEi answer Inner Outer space 'pair<long int const, long unsigned int>' S '(anonymous namespace)' per_thread; do grep -qF "\"$n\"" index || { echo "no $n"; exit 1; }; done
//# check: ! grep -qE '"(declared|member|value|enumerator)"' index
//# run: exit=42
//# peers: none
#include "names.h"
namespace { __attribute__((noipa)) int hidden(int x) { return x - 1; } struct S { int value; } s; }
pair<const long, long unsigned int> two;
int main() { return space::Outer::method(hidden(43)) - space::answer + (int)two.first + s.value; }
//# file: names.h
template <class A, class B> struct pair { B first; A *second; };
struct declared;
namespace space {
enum E { enumerator };
struct Outer {
    struct Inner { double member; };
    static int method(int x);
};
extern int answer;
}
int other(int x, declared *);
//# file: other.cc
#include "names.h"
namespace space { int answer = 7; }
thread_local int per_thread;
int space::Outer::method(int x) { Inner inner{(double)x}; return (int)inner.member + other(7, 0); }
__attribute__((noinline))
int other(int x, declared *) { return x + per_thread; }
