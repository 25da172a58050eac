// --strip-debug-non-line keeps what line numbers need, and nothing else: addr2line, llvm-symbolizer and
// gdb find the same lines as with all debug information. gold has the option.
//# @gcc-5,gcc-4,gcc-4-types,gcc-packed,gcc-64,gcc-split,gcc-joined machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le gdb of another machine takes the lowest bit of ARM's functions for a part of the address
//# @gcc-5-types machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k addr2line of s390x chooses another directory
//# requires: gdb llvm-symbolizer-19 llvm-dwarfdump-19 clang++-19 addr2line
//# @gcc-5-types machines: x86-64 aarch64 i386 x32 riscv64 the symbolizer finds the directories of type units
//# @gcc-64 machines: x86-64 aarch64 i386 x32 riscv64 a word of eight bytes has one relocation for all of it
//# driver: g++
//# variant: gcc-5:
//# variant: gcc-4:
//# variant: gcc-4-types:
//# variant: gcc-5-types:
//# variant: gcc-packed:
//# variant: gcc-64:
//# variant: gcc-split:
//# variant: gcc-joined:
//# variant: clang-5:
//# variant: clang-4:
//# variant: clang-split:
//# @gcc-5 sh: sh make.sh g++ -gdwarf-5
//# @gcc-4 sh: sh make.sh g++ -gdwarf-4
//# @gcc-4-types sh: sh make.sh g++ -gdwarf-4 -fdebug-types-section -ffunction-sections
//# @gcc-5-types sh: sh make.sh g++ -gdwarf-5 -fdebug-types-section
//# @gcc-packed sh: sh make.sh g++ -gdwarf-5 -gz
//# @gcc-64 sh: sh make.sh g++ -gdwarf-5 -gdwarf64
//# @gcc-split sh: sh make.sh g++ -gdwarf-5 -gsplit-dwarf
//# @gcc-joined sh: sh make.sh g++ -gdwarf-5; ld -r part.o other.o -o both.o; mv both.o part.o; as -o other.o </dev/null
//# @clang-5 sh: sh make.sh clang++-19 -gdwarf-5 -ffunction-sections
//# @clang-4 sh: sh make.sh clang++-19 -gdwarf-4 -ffunction-sections
//# @clang-split sh: sh make.sh clang++-19 -gdwarf-5 -gsplit-dwarf
//# sh: g++ -B${LD%/*} main.o part.o other.o -o whole
//# link: main.o part.o other.o -Wl,--strip-debug-non-line
//# check: sh compare.sh whole $OUT
//# no-section: .debug_str
//# no-section: .debug_types
//# no-section: .debug_loclists
//# no-section: .debug_loc
//# no-section: .debug_macro
//# no-section: .debug_aranges
//# run: exit=9
//# peers: none
int part(int);
int other(int);
int main() { return part(3) + other(2); }
//# file: part.inc
#include "twice.inc"
namespace space {
struct Part {
  int first;
};
} // namespace space
int part(int x) {
  space::Part part{x};
  if (x > 5)
    part.first += 1;
  return twice(part.first);
}
__attribute__((section(".text.cold"))) int cold(int x) {
  return x + 1;
}
//# file: twice.inc
inline __attribute__((noinline)) int twice(int x) {
  return
    x * 2;
}
//# file: other.inc
#include "twice.inc"
int other(int x) {
  return x > 1
    ? 3
    : twice(x);
}
//# file: make.sh
set -e
cc=$1; shift
for f in part other; do $cc -x c++ -g "$@" -c $f.inc -o $f.o; done
//# file: compare.sh
# gdb names files without their directory where the unit has a name, which a skeleton has not, and speaks of
# the line tables of type units too.
set -e
objdump -d --no-show-raw-insn $1 | sed -n 's/^ *\([0-9a-f]*\):.*/0x\1/p' >places
for f in $1 $2; do
  addr2line -e $f <places >$(basename $f).lines
  llvm-symbolizer-19 --no-inlines --functions=none --obj=$f <places >>$(basename $f).lines
  gdb -nx -batch -ex 'info line part' -ex 'info line twice' -ex 'info line other' -ex 'list cold' -ex 'info line part.inc:9' -ex 'info line other.inc:5' $f 2>&1 | sed 's/<[^>]*>//g; s|"/[^"]*/|"|; s|"./|"|; /out of range/d' | uniq >>$(basename $f).lines
done
grep -q 'part.inc:9' $(basename $1).lines
grep -q 'twice.inc:3' $(basename $1).lines
cmp $(basename $1).lines $(basename $2).lines
llvm-dwarfdump-19 --verify $2 | grep -q 'No errors'
llvm-dwarfdump-19 --debug-info $2 >entries
! grep -q 'DW_TAG_[^c]' entries
test $(grep -c DW_TAG_compile_unit entries) -ge 2
! grep -q 'dwo_name\|DW_UT_skeleton' entries
