// A thin archive names its members, relative to itself.
//# driver: gcc
//# sh: mkdir -p sub && cp used.o sub/ && cd sub && ar rcsT libx.a used.o
//# archive: thin unused.a used.o
//# link: main.o sub/libx.a
//# run: exit=3
int used(void);
int main(void) { return used(); }
//# file: used.c
int used(void) { return 3; }
