// Loads of imported addresses stay, and those of the program become addresses, in one function.
//# compile: -O1 -fPIC
//# shared: libother.so other.o
//# link: main.o -L. -lother -Wl,-rpath,$ORIGIN
//# run: exit=9
//# reloc: R_390_GLOB_DAT symbol=elsewhere
//# disasm: main larl .*<own>
//# disasm: main lgrl
//# peers: none
extern int elsewhere;
int own = 4;
int main(void) { return own + elsewhere; }
//# file: other.c
int elsewhere = 5;
