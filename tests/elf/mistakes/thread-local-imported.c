// Code for a program's own thread-local variables reaches none of a library. No other kind of
// program would change that.
//# peers: none
//# compile: -g -O1
//# shared: libvariable.so variable.o
//# link: main.o libvariable.so -pie
//# error-text: ld: error: main.o:(function main: .text+0x4): relocation R_X86_64_TPOFF32 cannot be used against symbol 'variable'; recompile with -fPIC
//# error-text: >>> referenced by main.c:3 ($WORK/main.c:3)
//# error-text: >>> defined in libvariable.so
//# file: main.c -fpie -ftls-model=local-exec

extern __thread int variable;
int main(void) { return variable; }
//# file: variable.c -fPIC
__thread int variable;
