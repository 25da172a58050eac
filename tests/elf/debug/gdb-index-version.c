// --gdb-index-version; version 9 says in which language and function the program begins.
//# requires: gdb objcopy
//# compile: -g -std=c11
//# variant: seven: -Wl,--gdb-index,--gdb-index-version=7
//# variant: eight: -Wl,--gdb-index-version=8,--gdb-index
//# variant: nine: -Wl,--gdb-index,--gdb-index-version=9
//# check: objcopy -O binary --set-section-flags .gdb_index=alloc -j .gdb_index $OUT index
//# @seven check: test $(od -An -tu4 -N4 index) = 7
//# @eight check: test $(od -An -tu4 -N4 index) = 8
//# @nine check: test $(od -An -tu4 -N4 index) = 9
//# @nine check: o=$(od -An -tu4 -j20 -N4 index); p=$(od -An -tu4 -j24 -N4 index); test $(od -An -tu4 -j$((o)) -N4 index) = 29; n=$(od -An -tu4 -j$((o+4)) -N4 index); test "$(tail -c +$((p+n+1)) index | head -c 4)" = main
//# @seven,eight check: gdb -nx -batch -ex 'break main' $OUT 2>&1 | grep -q 'Breakpoint 1 at .*line 17'
//# run: exit=0
//# peers: none
int zero;

int main(void) { return zero; }
