// A text in .gnu.warning.SYMBOL is told although the section is loaded, as it is where C declares it
// without glibc's trick; a program does not keep it, a library passes it on.
//# peers: none
//# variant: objects: main.o old.o
//# variant: archive: main.o libold.a
//# variant: library: main.o libold.so -rpath=.
//# archive: libold.a old.o
//# shared: libold.so old.o
//# driver: ld
//# link: --entry=main
//# warning: old_call is deprecated\n>>> referenced by main.c
//# no-section: .gnu.warning.old_call
int old_call(void);
int main(void) { return old_call(); }
//# file: old.c
int old_call(void) { return 0; }
static const char text[] __attribute__((used, section(".gnu.warning.old_call"))) =
    "old_call is deprecated";
