// --only-keep-debug writes the file that --separate-debug-file writes beside the program: gdb takes
// both for the same.
//# requires: gdb cmp
//# compile: -g
//# sh: mkdir -p beside; gcc -B${LD%/*} main.o -o program -Wl,--separate-debug-file=beside/out -Wl,--build-id
//# link: -Wl,--only-keep-debug -Wl,--build-id
//# section: .text type=NOBITS
//# section: .debug_info type=PROGBITS size>0
//# check: cmp $OUT beside/out
//# check: gdb -nx -batch -ex 'symbol-file out' -ex 'info line main' program 2>&1 | grep -q 'Line 15 of'
//# lint-except: nobits-in-file the sections have no content
//# peers: none
int zero;

int main(void) { return zero; }
