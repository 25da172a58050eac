// Without debug information there is no index, and no word about it.
//# requires: readelf
//# variant: plain: -Wl,--gdb-index
//# variant: stripped: -Wl,--gdb-index -Wl,-S | -g
//# variant: undone: -Wl,--gdb-index -Wl,--no-gdb-index | -g
//# no-section: .gdb_index
//# no-warning: .
//# run: exit=0
//# peers: none
int main(void) { return 0; }
