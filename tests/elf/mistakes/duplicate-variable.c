// A variable of a header that is not extern.
//# peers: none
//# compile: -g
//# error-text: ld: error: duplicate symbol: counter
//# error-text: >>> defined at counter.h:1 ($WORK/counter.h:1)
//# error-text: >>>            main.o:(counter)
//# error-text: >>> defined at counter.h:1 ($WORK/counter.h:1)
//# error-text: >>>            other.o:(counter)
//# error-text: >>> both are counter.h:1, which several sources include: declare it extern in counter.h and define it in one source
//# file: main.c
#include "counter.h"
int main(void) { return counter; }
//# file: other.c
#include "counter.h"
//# file: counter.h
int counter;
