// An output that is an input is refused, whatever leads to it: links, -l, lists and scripts, members of
// thin archives, -r.
int f(void);
int main(void) { return f() - 1; }
//# file: lib.c
int f(void) { return 1; }
//# file: list.txt
{ f; };
//# file: versions.txt
V { global: f; };
//# archive: thin libthin.a lib.o
//# sh: ln -sf main.o link.o; ln -f main.o hard.o; cp libthin.a libcopy.a; refused() { if "$LD" "$@" 2>err; then exit 1; fi; grep -q 'same as output file' err; test -s main.o; test -s lib.o; test -s libthin.a; }; refused link.o -o main.o; refused main.o -o link.o; refused hard.o -o main.o; refused -r main.o -o main.o; refused -shared main.o -L. -lthin -o libthin.a; refused -shared main.o libthin.a -o lib.o; refused -shared main.o --dynamic-list=list.txt -o list.txt; refused -shared main.o --version-script=versions.txt -o ./versions.txt
//# link: libthin.a
//# driver: gcc
//# peers: none
