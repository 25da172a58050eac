// Without debug information there is no table of names, and no word about it.
//# requires: readelf
//# variant: plain: -Wl,--debug-names
//# variant: stripped: -Wl,--debug-names -Wl,-S | -g
//# variant: undone: -Wl,--debug-names -Wl,--no-debug-names | -g
//# no-section: .debug_names
//# no-warning: .
//# run: exit=0
//# peers: none
int main(void) { return 0; }
