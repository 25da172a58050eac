// --why-extract and --print-archive-stats tell what was taken of archives, in lld's columns.
//# archive: libparts.a one.o two.o three.o
//# link: main.o -L. -lparts -Wl,--why-extract=why,--print-archive-stats=counts
//# peers: lld
//# run: exit=3
//# file-matches: why ^reference\textracted\tsymbol$
//# file-matches: why ^main.o\t(./)?libparts.a\(one.o\)\tone$
//# file-matches: why ^(./)?libparts.a\(one.o\)\t(./)?libparts.a\(two.o\)\ttwo$
//# no-file-matches: why three
//# file-matches: counts ^members\textracted\tarchive$
//# file-matches: counts ^3\t2\t(./)?libparts.a$
//# file: main.c
int one(void);
int main(void) { return one(); }
//# file: one.c
int two(void);
int one(void) { return 1 + two(); }
//# file: two.c
int two(void) { return 2; }
//# file: three.c
int three(void) { return 3; }
