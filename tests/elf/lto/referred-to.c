// What plugins are told of a definition that prevails over a weak one of code: it is referred to
// from outside of intermediate code only if a relocation of that code names it, as in GNU ld.
//# compile: -O2 -flto -fno-fat-lto-objects
//# peers: none
//# sh: gcc -O2 -xc -c lost.inc -o lost.o && gcc -O2 -DCALL -xc -c lost.inc -o called.o
//# sh: printf '%s' '(gcc -flto -O2 -save-temps "$1" -o "$2" $3 $4; grep " f$" "$2.res" | cut -d" " -f3)' >told.sh
//# sh: told() { sh told.sh -B$(dirname $LD) ours "$@" >ours.said && sh told.sh -fuse-ld=bfd theirs "$@" >theirs.said && test -s ours.said && cmp ours.said theirs.said; }; told main.o lost.o && told lost.o main.o && told main.o called.o && told called.o main.o
//# sh: sh told.sh -B$(dirname $LD) x main.o lost.o >said && grep -qx PREVAILING_DEF_IRONLY said
//# sh: sh told.sh -B$(dirname $LD) x main.o called.o >said && grep -qx PREVAILING_DEF said
//# link: main.o -flto
//# run: exit=12
int g(void);
__attribute__((weak)) int g(void) { return 5; }
__attribute__((noinline)) int f(void) { return 7; }
int main(void) { return f() + g(); }
//# file: lost.inc
__attribute__((weak)) int f(void) { return 3; }
#ifdef CALL
int g(void) { return f(); }
#else
int g(void) { return 5; }
#endif
