// --warn-ifunc-textrel warns of IFUNCs in an output that may have text relocations,
// which lld does only where it makes one.
//# variant: quiet: -Wl,-z,notext
//# variant: told: -Wl,-z,notext,--warn-ifunc-textrel
//# variant: strict: -Wl,-z,text,--warn-ifunc-textrel
//# link: main.o chosen.o
//# @told warning: (?i)ifunc
//# @quiet,strict no-warning: IFUNC
//# run: exit=5
//# peers:
//# file: main.c
int chosen(void);
int main(void) { return chosen(); }
//# file: chosen.c
static int five(void) { return 5; }
static int (*choose(void))(void) { return five; }
int chosen(void) __attribute__((ifunc("choose")));
