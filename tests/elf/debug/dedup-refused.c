// Units are written anew only where nothing else refers to their bytes; gdb 13 cannot read
// .debug_names of units that refer to each other.
//# driver: ld
//# variant: joined: -r --dedup-debug-types
//# variant: relocs: --emit-relocs --dedup-debug-types
//# variant: names: --debug-names --dedup-debug-types=all
//# link: main.o
//# @joined expect-error: -r and --dedup-debug-types may not be used together
//# @relocs expect-error: --emit-relocs and --dedup-debug-types may not be used together
//# @names expect-error: --debug-names and --dedup-debug-types=all may not be used together
//# peers: none
void _start(void) {}
