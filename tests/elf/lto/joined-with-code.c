// -r of intermediate code and code makes code of all: GCC's plugin is told that there is code.
//# compile: -O2
//# peers: none
//# sh: gcc -O2 -flto -fno-fat-lto-objects -xc -c part.inc -o part && gcc -O2 -xc -c code.inc -o code
//# sh: gcc -B$(dirname $LD) -O2 -flto -r part code -o joined 2>said && grep -q 'incremental linking of LTO and non-LTO objects' said
//# sh: ! readelf -SW joined | grep -q gnu.lto_
//# sh: gcc -B$(dirname $LD) -O2 -flto -r part -o alone 2>said && test ! -s said && readelf -SW alone | grep -q gnu.lto_
//# link: main.o joined -flto
//# run: exit=42
int part(void);
int main(void) { return part(); }
//# file: part.inc
int code(void);
int part(void) { return code() + 1; }
//# file: code.inc
int code(void) { return 41; }
