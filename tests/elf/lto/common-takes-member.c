// A common variable takes the archive member that defines the variable with a value, of intermediate
// code or not, but none that defines a function of the name or another common.
//# peers: none
//# variant: both: lib.a -flto | -flto
//# variant: fat: lib.a -flto | -flto -ffat-lto-objects
//# variant: main: plain.a -flto | -flto
//# variant: common: none.a lib.a -flto | -flto
//# compile: -O1 -fcommon
//# sh: gcc -O1 -c -xc value.inc -o plain.o && gcc -O1 -flto -c -xc value.inc -o value.o && gcc -O1 -flto -fcommon -c -xc other.inc -o other.o
//# sh: gcc-ar rc lib.a value.o && ar rc plain.a plain.o && gcc-ar rc none.a other.o
//# link: main.o
//# run: exit=5
//# no-symbol: unwanted
int variable;
int main(void) { return variable; }
//# file: value.inc
int variable = 5;
//# file: other.inc
int variable;
int unwanted(void) { return variable; }
