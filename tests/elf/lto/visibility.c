// The visibility of a symbol is the most narrow that any file gives it, also one whose
// intermediate code has been compiled: it hides what only code defines.
//# compile: -O2 -fPIC
//# sh: gcc -O2 -flto -fno-fat-lto-objects -fPIC -xc -c part.inc -o part
//# link: main.o part -flto -O2 -rdynamic
//# run: exit=42
//# dynsym: open_one
//# no-dynsym: defined
//# no-dynsym: defined_twice
//# symbol: defined bind=LOCAL
//# peers: ld
int defined = 41;
__attribute__((visibility("protected"))) int defined_twice = 2;
int open_one = 1;
int part(void);
int main(void) { return part() + open_one; }
//# file: part.inc
__attribute__((weak, visibility("hidden"))) int defined_twice = 3;
__attribute__((visibility("hidden"))) extern int defined;
int part(void) { return defined; }
