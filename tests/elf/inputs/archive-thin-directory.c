// GNU ar writes a thin archive's first reference to the long names over a name of 15 letters, of which the slash stays.
//# driver: gcc
//# sh: mkdir -p sub/libx.a.p && cp used.o sub/libx.a.p/input_input.c.o && ar csrDT sub/libx.a sub/libx.a.p/input_input.c.o
//# archive: thin unused.a used.o
//# link: main.o sub/libx.a
//# run: exit=3
int used(void);
int main(void) { return used(); }
//# file: used.c
int used(void) { return 3; }
