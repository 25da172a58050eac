// --s390-pgste asks the kernel for page tables that guests can use, by a segment without content.
//# driver: gcc
//# variant: asked: -Wl,--s390-pgste
//# variant: usual:
//# @asked segment: 0x70000000 filesz=0 memsz=0
//# @usual no-segment: 0x70000000
//# run
//# peers: ld
int main(void) { return 0; }
