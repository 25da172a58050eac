// Members of archives are taken for names of intermediate code, and members of intermediate code
// for names of others; what nobody wants is not compiled.
//# compile: -O2 -flto -fno-fat-lto-objects
//# sh: gcc -c plain.c -o plain.o && gcc-ar rc lib.a wanted.o plain.o unwanted.o
//# link: main.o lib.a -flto -O2
//# run: exit=42
//# symbol: from_plain
//# no-symbol: unwanted
//# peers: ld
int wanted(void);
int main(void) { return wanted(); }
//# file: wanted.c
int from_plain(int);
int called_back(int x) { return x + 1; }
int wanted(void) { return from_plain(20); }
//# file: unwanted.c
int missing(void);
int unwanted(void) { return missing(); }
//# file: plain.c -fno-lto
int called_back(int);
int from_plain(int x) { return called_back(x) * 2; }
