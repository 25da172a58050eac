// Addresses and pages are those of GNU ld: programs begin at 16 MiB, and pages have 4 KiB.
//# link: -no-pie
//# run: exit=0
//# segment: LOAD address=0x1000000 align=0x1000
//# section: .plt entsize=32
//# peers: ld
int main(void) { return 0; }
