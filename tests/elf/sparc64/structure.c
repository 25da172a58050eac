// Addresses and pages are those of GNU ld: programs begin at 1 MiB, and segments are apart by as much.
//# link: -no-pie
//# run: exit=0
//# segment: LOAD address=0x100000 align=0x100000
//# segment: LOAD flags=RWX align=0x100000
//# peers: ld
int main(void) { return 0; }
