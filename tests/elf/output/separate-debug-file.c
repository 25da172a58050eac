// Debug sections and symbols go to a file of their own, which gdb finds by name and checksum: as
// with mold, which writes it in the background.
//# compile: -g
//# link: -Wl,--build-id
//# requires: gdb
//# peers: none
//# variant: beside: -Wl,--separate-debug-file
//# variant: named: -Wl,--separate-debug-file=out.dbg
//# variant: packed: -Wl,--separate-debug-file,--compress-debug-sections=zlib
//# variant: relocs: -Wl,--separate-debug-file,--emit-relocs
//# variant: no-id: -Wl,--separate-debug-file,--build-id=none
//# run: exit=7
//# section: .gnu_debuglink align=4
//# section: .comment
//# no-section: .symtab
//# no-section: .debug_info
//# no-section: .rela.text
//# check: gdb -batch -ex 'list main' -ex 'info line seven' $OUT 2>&1 | grep -q 'of .main.c. starts at'
//# check: gdb -batch -ex 'break seven' -ex run -ex bt $OUT 2>&1 | grep -q 'main () at .*main.c:'
//# check: readelf -SW out.dbg | grep -qE '\.text +NOBITS'
//# check: readelf -SW out.dbg | grep -qE '\.debug_info +PROGBITS'
//# check: test "$(readelf -sW out.dbg | grep -c ' seven$')" = 1
//# check: test "$(readelf -n $OUT | grep Build)" = "$(readelf -n out.dbg | grep Build)"
//# check: ! readelf -lW out.dbg 2>&1 >/dev/null | grep LOAD && ! readelf -aW out 2>&1 >/dev/null | grep .
int seven(void) { return 7; }
int main(void) { return seven(); }
