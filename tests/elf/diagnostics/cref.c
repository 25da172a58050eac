// --cref lists for each symbol the file that defines it and those that refer to it: on standard
// output, or behind the map.
//# variant: output: -Wl,--cref
//# variant: map: -Wl,--cref,-Map=list
//# link: user.o owner.o
//# peers: ld lld
//# @output stdout: ^Cross Reference Table$
//# @output stdout: ^shared_name {39}owner.o\n {50}user.o$
//# @map file-matches: list ^shared_name {39}owner.o\n {50}user.o$
//# file: user.c
int shared_name(void);
int main(void) { return shared_name(); }
//# file: owner.c
int shared_name(void) { return 0; }
