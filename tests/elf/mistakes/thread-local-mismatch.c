// A declaration forgot that the variable is thread-local.
//# peers: none
//# compile: -g
//# error-text: ld: error: main.o:(function main: .text+0x6): relocation R_X86_64_PC32 against thread-local symbol 'counter', which is declared here without __thread or thread_local
//# error-text: >>> referenced by main.c:2 ($WORK/main.c:2)
//# error-text: >>> defined in counter.o
//# file: main.c
extern int counter;
int main(void) { return counter; }
//# file: counter.c
__thread int counter = 1;
