// -r makes no index: its debug sections are not final.
//# driver: ld
//# link: main.o -r --gdb-index
//# expect-error: -r and --gdb-index may not be used together
//# peers: none
int x;
