// -Bsymbolic-functions is about functions: commons are data, whatever their type is called, and a
// program's copy is meant.
//# peers: ld
//# compile: -fPIC -fcommon
//# variant: object: |
//# variant: common: | -Wa,--elf-stt-common=yes
//# shared: libval.so lib.o -Wl,-Bsymbolic-functions
//# link: main.o -L. -l:libval.so -Wl,-rpath,.
//# run: exit=5
extern int *address(void);
int val = 5;
int main(void) { return *address(); }
//# file: lib.c
int val;
int *address(void) { return &val; }
