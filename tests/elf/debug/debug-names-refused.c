// -r makes no table of names: its debug sections are not final.
//# driver: ld
//# link: main.o -r --debug-names
//# expect-error: -r and --debug-names may not be used together
//# peers: none
int x;
