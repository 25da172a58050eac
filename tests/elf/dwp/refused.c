// What is wrong with .dwo files is one error that names object and file; the program and the package
// that were there are not lost.
//# machines: x86-64 aarch64 i386 x32 a number is written byte by byte
//# peers:
//# driver: ld
//# sh: rm -f *.dwo; for f in one two; do gcc -x c -g -gdwarf-5 -gsplit-dwarf -c $f.inc -o $f.o; gcc -x c -g -gdwarf-4 -gsplit-dwarf -c $f.inc -o old-$f.o; done; mkdir -p other; gcc -x c -g -gdwarf-5 -gsplit-dwarf -c one.inc -o other/one.o
//# sh: sh refused.sh 'one\.o: cannot open .*/one\.dwo: No such file or directory' 'rm one.dwo' one.o two.o
//# sh: sh refused.sh 'one\.o: .*/one\.dwo: has no unit with id 0x' 'cp two.dwo one.dwo' one.o two.o
//# sh: sh refused.sh 'one\.o: .*/one\.dwo: not an ELF file' 'echo text >one.dwo' one.o two.o
//# sh: sh refused.sh 'one\.o: .*/one\.dwo: section .debug_info\.dwo: is missing' 'objcopy -R .debug_info.dwo one.dwo' one.o two.o
//# sh: sh refused.sh 'one\.o: .*/one\.dwo: section .debug_info\.dwo: unit is longer than its section at offset 0' 'head -c 3 one.dwo >cut; objcopy --update-section .debug_info.dwo=long one.dwo' one.o two.o
//# sh: sh refused.sh 'one\.o: .*/one\.dwo: section table\|one\.o: .*/one\.dwo: section header table' 'head -c 300 two.dwo >one.dwo' one.o two.o
//# sh: sh refused.sh '.*/one\.dwo: section .debug_str\.dwo: strings do not end with a NUL' 'objcopy --update-section .debug_str.dwo=empty one.dwo' one.o two.o
//# sh: sh refused.sh 'one\.dwo and .*/old-two\.dwo have different DWARF versions' true one.o old-two.o
//# sh: sh refused.sh '/one\.dwo and .*/other/one\.dwo have units with the same id 0x' true one.o other/one.o -z muldefs
//# sh: sh refused.sh '/one\.dwo and .*/one\.dwo have units with the same id 0x\|/one\.dwo and .*/two\.dwo have units with the same id 0x' "\"$LD\" main.o one.o two.o -o y --dwp=both.dwp; cp both.dwp one.dwo; rm both.dwp" one.o two.o
//# sh: sh refused.sh 'one\.o: .*/one\.dwo: section .debug_cu_index: truncated table of units' "\"$LD\" main.o one.o -o y --dwp=one.dwp; printf '\\005\\000\\000\\000' >cut; objcopy --update-section .debug_cu_index=cut one.dwp one.dwo; rm one.dwp" one.o two.o
//# sh: sh refused.sh 'one\.o: .*/one\.dwo: section .debug_cu_index: unknown version of a table of units' "\"$LD\" main.o one.o -o y --dwp=one.dwp; objcopy --update-section .debug_cu_index=long one.dwp one.dwo; rm one.dwp" one.o two.o
//# sh: sh refused.sh '-r and --dwp may not be used together' true one.o -r
//# sh: sh refused.sh '--dwp=.*one.dwo: this is the input file .*one.dwo' true one.o two.o --dwp=one.dwo
//# link: main.o --dwp=empty.dwp
//# check: readelf -h empty.dwp | grep -q 'REL (Relocatable'
void _start(void) {}
//# file: one.inc
int one(void) { return 1; }
//# file: two.inc
int two(void) { return 2; }
//# file: long
looooooooooooooooooooooooooooooooooooong
//# file: empty
.
//# file: refused.sh
expected=$1; damage=$2; shift 2
mkdir -p kept; cp *.dwo kept; echo old >x; echo old >x.dwp
eval "$damage"
if "$LD" main.o --dwp=x.dwp -o x "$@" 2>err; then echo accepted; exit 1; fi
cp kept/* .
grep -q -e "$expected" err || { cat err; exit 1; }
test $(grep -c error: err) = 1 || { cat err; exit 1; }
test "$(cat x x.dwp | uniq)" = old
