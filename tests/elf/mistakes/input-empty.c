// An object of no bytes, which a compiler left when the disk was full.
//# peers: none
//# sh: : >area.o
//# link: main.o area.o
//# warning: ^ld: warning: area\.o: file is empty$
int main(void) { return 0; }
