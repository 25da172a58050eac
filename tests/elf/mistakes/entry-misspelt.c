// An entry point that nothing defines, and a name that is near.
//# peers: none
//# link: -Wl,-e,mian
//# warning: cannot find entry symbol mian; the program starts at 0x[0-9a-f]+\n>>> did you mean: main\n>>> defined in: main.o$
int main(void) { return 0; }
