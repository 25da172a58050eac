// Options that ask LLVM's plugin for files in place of a program end the link without one; those
// of lld's that are LLVM's own reach it.
//# cc: clang-19
//# requires: clang-19
//# peers: none
//# sh: clang-19 -flto=thin -O1 -xc -c part.inc -o part.o
//# sh: $LD --lto-emit-asm part.o -e f -o asm && grep -q '^f:' asm1 && ! test -e asm
//# sh: $LD --lto-emit-asm -mllvm -version part.o -e f -o told 2>messages && grep -q LLVM messages
//# sh: $LD --thinlto-index-only part.o -e f -o none && test -e part.o.thinlto.bc && ! test -e none
//# sh: $LD --lto-basic-block-sections=all --lto-O2 --thinlto-jobs=1 part.o -e f -o sections
//# sh: ! $LD -plugin-opt=no-such-option part.o -e f -o refused 2>messages && grep -q no-such-option messages
//# link: main.o
int main(void) { return 0; }
//# file: part.inc
int f(int x) { return x + 1; }
